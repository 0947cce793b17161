#include "runtime/decide/power_learner.hpp"

#include "estimate/unlike_meters.hpp"
#include "runtime/decide/type_power.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace hypermile::runtime {
namespace {

/// What earlier runs have counted is of the same nodes, but maybe not of the same temperature.
constexpr double earlier_counts = 0.5;

std::string key_of(const model::NodeType& type) {
  std::string key = fmt::format("{} {} {}", type.name, type.site, type.cores);
  for (model::Gear g = 0; g < type.gears.size(); ++g)
    key += fmt::format(" {}", type.gears.frequency(g).value());
  for (const Watts limit : type.power_limits)
    key += fmt::format(" {} W", limit.value());
  for (const Hertz limit : type.uncore)
    key += fmt::format(" u{}", limit.value());
  return key;
}

estimate::NodeSums times(const estimate::NodeSums& sums, double factor) {
  estimate::NodeSums less;
  for (const auto& [gear, of_gear] : sums)
    less[gear] = of_gear.times(factor);
  return less;
}

} // namespace

PowerLearner::PowerLearner(const std::vector<LearntPower>& earlier) {
  for (const LearntPower& learnt : earlier) {
    if (learnt.type.gears.size() > most_power_gears)
      continue;
    Type& type =
        types_
            .emplace(
                key_of(learnt.type),
                Type{.example = {.name = "", .type = learnt.type, .power_assumed = learnt.assumed}})
            .first->second;
    type.earlier = times(learnt.sums, earlier_counts);
  }
}

void PowerLearner::add(int rank, const RankNode& told, const std::vector<PowerPoint>& points) {
  const std::size_t gears = told.type.gears.size();
  if (points.empty() || gears > most_power_gears || told.type.power.size() != gears)
    return;
  const std::string key = key_of(told.type);
  Type& type = types_.try_emplace(key, Type{.example = told}).first->second;
  type.example = told; // the present platform's, whatever earlier runs had
  type.outdated = true;
  Node& node =
      nodes_.try_emplace(told.name, Node{key, PowerReadings(told.type.cores, gears)}).first->second;
  if (node.type == key)
    node.readings.add(rank, points);
}

void PowerLearner::drop(const std::string& name) {
  const auto found = nodes_.find(name);
  if (found == nodes_.end())
    return;
  found->second.readings.drop();
  types_.at(found->second.type).outdated = true;
}

void PowerLearner::sum_up() {
  for (auto& [name, node] : nodes_)
    node.readings.sum_up();
}

std::vector<std::pair<std::string, const PowerLearner::Node*>>
PowerLearner::believed(const std::string& type) const {
  std::vector<std::pair<std::string, const Node*>> nodes;
  for (const auto& [name, node] : nodes_)
    if (node.type == type && metered_time(node.readings.sums()) > Seconds{})
      nodes.emplace_back(name, &node);
  return nodes;
}

/// Those that cannot be right, or all where nobody knows which are.
void PowerLearner::drop_unlike(const std::string& key) {
  std::vector<std::string> names;
  std::vector<estimate::NodeSums> sums;
  for (const auto& [name, node] : believed(key)) {
    names.push_back(name);
    sums.push_back(node->readings.sums());
  }
  const estimate::UnlikeMeters unlike = estimate::unlike_meters(sums);
  for (std::size_t n = 0; n < names.size(); ++n)
    if (unlike.wrong[n]) {
      dropped_[names[n]] = unlike.undecided ? "what energy counters of equal nodes say differs by "
                                              "nearly a factor of two or more, "
                                              "and which is right is not known, so none is believed"
                                            : "the energy counter is not believed: it does not "
                                              "agree with those of equal nodes by "
                                              "nearly a factor of two or more";
      drop(names[n]);
    }
}

LearntPower& PowerLearner::learn(const std::string& key, Type& type) {
  drop_unlike(key);
  std::vector<estimate::NodeSums> sums;
  for (const auto& [name, node] : believed(key))
    sums.push_back(node->readings.sums());
  type.outdated = false;
  return type.learnt.emplace(learn_power(type.example, sums, type.earlier));
}

std::optional<std::vector<model::GearPower>> PowerLearner::table_of(const RankNode& node) {
  const auto found = types_.find(key_of(node.type));
  if (found == types_.end())
    return std::nullopt;
  auto& [key, type] = *found;
  if (type.outdated || !type.learnt) {
    sum_up();
    learn(key, type);
  }
  const LearntPower& learnt = *type.learnt;
  if (learnt.sums.empty() || !learnt.why_not.empty())
    return std::nullopt;
  type.in_use = true;
  return learnt.table;
}

std::vector<std::optional<model::Gear>> PowerLearner::beaten_of(const RankNode& node) const {
  const auto found = types_.find(key_of(node.type));
  std::vector<std::optional<model::Gear>> beaten;
  if (found != types_.end() && found->second.in_use && found->second.learnt)
    for (const LearntPower::OfGear& gear : found->second.learnt->gears)
      beaten.push_back(gear.beaten_by);
  return beaten;
}

std::vector<LearntPower> PowerLearner::report() {
  sum_up();
  std::vector<LearntPower> all;
  for (auto& [key, type] : types_) {
    const LearntPower& learnt = learn(key, type);
    if (learnt.sums.empty())
      continue;
    all.push_back(learnt);
    all.back().in_use = type.in_use && learnt.why_not.empty();
  }
  return all;
}

const LearntPower* learnt_of(const std::vector<LearntPower>& all, const model::NodeType& type) {
  const std::string key = key_of(type);
  const auto found = std::ranges::find_if(
      all, [&](const LearntPower& learnt) { return key_of(learnt.type) == key; });
  return found == all.end() ? nullptr : &*found;
}

void drop_meter(RankReport& report) {
  report.energy.reset();
  report.readings.clear();
  for (GearChange& change : report.changes)
    change.energy.reset();
}

} // namespace hypermile::runtime
