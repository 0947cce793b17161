#include "runtime/decide/power_learner.hpp"

#include "runtime/decide/type_power.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

namespace hypermile::runtime {
namespace {

/// What earlier runs have counted is of the same nodes, but maybe not of the same temperature.
constexpr double earlier_counts = 0.5;

/// Equal nodes do not differ by more, whatever their silicon: a meter is wrong then.
constexpr double most_unlike = 1.75;
/// Of many nodes these say most or least: one of them is the one that is wrong.
constexpr std::size_t most_suspects = 6;

std::string key_of(const model::NodeType& type) {
  std::string key = fmt::format("{} {} {}", type.name, type.site, type.cores);
  for (model::Gear g = 0; g < type.gears.size(); ++g)
    key += fmt::format(" {}", type.gears.frequency(g).value());
  return key;
}

estimate::NodeSums times(const estimate::NodeSums& sums, double factor) {
  estimate::NodeSums less;
  for (const auto& [gear, of_gear] : sums)
    less[gear] = of_gear.times(factor);
  return less;
}

/// That without which the others differ least.
template <class Node, class Differ>
std::size_t worst_of(const std::vector<Node>& nodes, const std::vector<double>& ratios,
                     const Differ& differ) {
  std::vector<std::size_t> suspects(nodes.size());
  std::iota(suspects.begin(), suspects.end(), std::size_t{0});
  std::ranges::sort(suspects, {}, [&](std::size_t n) { return ratios[n]; });
  if (suspects.size() > most_suspects)
    suspects.erase(suspects.begin() + most_suspects / 2, suspects.end() - most_suspects / 2);
  std::size_t worst = suspects.front();
  double least = std::numeric_limits<double>::infinity();
  for (const std::size_t n : suspects) {
    std::vector<Node> others = nodes;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(n));
    if (const double difference = differ(others); difference < least) {
      least = difference;
      worst = n;
    }
  }
  return worst;
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

/// What the meter of each node says, relative to what would be expected of all of these.
std::vector<double> PowerLearner::ratios_of(const std::string& key,
                                            const std::vector<const Node*>& nodes) const {
  std::vector<estimate::NodeSums> all;
  for (const Node* node : nodes)
    all.push_back(node->readings.sums());
  const auto fit = estimate::fit_power(power_prior_of(types_.at(key).example), all);
  std::vector<double> ratios;
  for (const estimate::NodeSums& sums : all) {
    double said = 0;
    double expected = 0;
    for (const auto& [gear, s] : sums) {
      said += s.cp + s.wp;
      expected +=
          fit.computing[gear].value * (s.cc + s.cw) + fit.waiting[gear].value * (s.cw + s.ww);
    }
    ratios.push_back(expected > 0 ? said / expected : 1);
  }
  return ratios;
}

/// Those without which most agree, or all where there is no such majority.
void PowerLearner::drop_unlike(const std::string& key) {
  std::vector<std::string> names;
  std::vector<const Node*> nodes;
  for (const auto& [name, node] : believed(key)) {
    if (metered_time(node->readings.sums()) < least_metered)
      return;
    names.push_back(name);
    nodes.push_back(node);
  }
  const std::size_t count = nodes.size();
  std::map<std::string, std::string> wrong;
  const auto differ = [&](const std::vector<const Node*>& some) {
    const auto [least, most] = std::ranges::minmax(ratios_of(key, some));
    return most / std::max(least, 1e-6);
  };
  while (nodes.size() > 1 && differ(nodes) >= most_unlike) {
    const std::size_t n = worst_of(nodes, ratios_of(key, nodes), differ);
    const bool most_agree = 2 * (nodes.size() - 1) > count;
    if (!most_agree) {
      for (const std::string& name : names)
        wrong[name] = "what energy counters of equal nodes say differs by nearly a factor of two "
                      "or more, and which is right is not known, so none is believed";
      break;
    }
    wrong[names[n]] = "the energy counter is not believed: it does not agree with those of equal "
                      "nodes by nearly a factor of two or more";
    names.erase(names.begin() + static_cast<std::ptrdiff_t>(n));
    nodes.erase(nodes.begin() + static_cast<std::ptrdiff_t>(n));
  }
  for (const auto& [name, why] : wrong) {
    dropped_[name] = why;
    drop(name);
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
