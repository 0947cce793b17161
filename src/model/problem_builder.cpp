#include "model/problem_builder.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace hypermile::model {
namespace {

std::vector<double> key_of(const GearTable& gears) {
  std::vector<double> key(gears.size());
  for (Gear g = 0; g < gears.size(); ++g)
    key[g] = gears.frequency(g).value();
  return key;
}

bool falls_with_every_gear(std::span<const GearCost> costs) {
  for (Gear g = 1; g < costs.size(); ++g)
    if (!(costs[g].time > costs[g - 1].time && costs[g].energy < costs[g - 1].energy))
      return false;
  return true;
}

} // namespace

void require_usable(std::size_t node, std::string_view quantity, double value) {
  if (!std::isfinite(value) || value < 0)
    throw Error(ErrorKind::model, fmt::format("node {}: the {} is {}", node, quantity, value),
                "a finite number that is not negative");
}

ProblemBuilder::ProblemBuilder(ModelKind kind, std::size_t units) {
  problem_.kind_ = kind;
  if (units == 0)
    throw Error(ErrorKind::model, "the problem has no node", "describe at least one");
  if (units > UINT32_MAX)
    throw Error(ErrorKind::model, "the problem has more than 2^32 nodes");
  problem_.offsets_.reserve(units + 1);
  problem_.waiting_.reserve(units);
  problem_.table_of_.reserve(units);
  problem_.clusters_.reserve(units);
}

void ProblemBuilder::add_unit(const GearTable& gears, std::size_t cluster,
                              std::span<const GearCost> costs, std::span<const Watts> waiting) {
  const auto [entry, is_new] =
      table_ids_.try_emplace(key_of(gears), static_cast<std::uint32_t>(problem_.tables_.size()));
  if (is_new)
    problem_.tables_.push_back(gears);
  problem_.table_of_.push_back(entry->second);
  problem_.clusters_.push_back(cluster);
  problem_.costs_.insert(problem_.costs_.end(), costs.begin(), costs.end());
  problem_.offsets_.push_back(problem_.costs_.size());
  if (std::any_of(waiting.begin(), waiting.end(), [&](Watts w) { return w != waiting[0]; }))
    spread_waiting();
  const std::size_t entries = problem_.waiting_depends_on_gear_ ? costs.size() : 1;
  for (Gear g = 0; g < entries; ++g)
    problem_.waiting_.push_back(waiting[waiting.size() == 1 ? 0 : g]);
  problem_.monotone_ &= falls_with_every_gear(costs);
}

void ProblemBuilder::spread_waiting() {
  if (problem_.waiting_depends_on_gear_)
    return;
  std::vector<Watts> spread;
  for (std::size_t unit = 0; unit < problem_.waiting_.size(); ++unit)
    spread.insert(spread.end(), problem_.gear_count(unit), problem_.waiting_[unit]);
  problem_.waiting_ = std::move(spread);
  problem_.waiting_depends_on_gear_ = true;
}

void ProblemBuilder::add_group(std::span<const std::uint32_t> units, Seconds communication) {
  auto& members = problem_.group_units_;
  members.insert(members.end(), units.begin(), units.end());
  problem_.group_offsets_.push_back(members.size());
  Group group{};
  group.communication = communication;
  for (const std::uint32_t unit : units) {
    Seconds fastest{std::numeric_limits<double>::infinity()};
    Joules least{std::numeric_limits<double>::infinity()};
    for (const GearCost& cost : problem_.costs(unit)) {
      fastest = std::min(fastest, cost.time);
      least = std::min(least, cost.energy);
      group.latest = std::max(group.latest, cost.time);
    }
    group.shortest = std::max(group.shortest, fastest);
    group.least_energy += least;
    group.waiting += problem_.waiting(unit, 0);
  }
  problem_.groups_.push_back(group);
}

void ProblemBuilder::one_group(Seconds communication) {
  std::vector<std::uint32_t> all(problem_.unit_count());
  std::iota(all.begin(), all.end(), 0U);
  add_group(all, communication);
}

void ProblemBuilder::group_each() {
  for (std::uint32_t unit = 0; unit < problem_.unit_count(); ++unit)
    add_group({&unit, 1}, Seconds{});
}

void ProblemBuilder::group_by_cluster(std::span<const Seconds> communication) {
  std::map<std::size_t, std::vector<std::uint32_t>> members;
  for (std::uint32_t unit = 0; unit < problem_.unit_count(); ++unit)
    members[problem_.clusters_[unit]].push_back(unit);
  for (const auto& [cluster, units] : members) {
    Seconds least = communication[units[0]];
    for (const std::uint32_t unit : units)
      least = std::min(least, communication[unit]);
    add_group(units, least);
  }
}

void ProblemBuilder::all_nodes_in_one_unit(HomogeneousCluster cluster) {
  problem_.nodes_per_unit_ = cluster.tasks.size();
  problem_.homogeneous_ = std::make_shared<const HomogeneousCluster>(std::move(cluster));
}

void ProblemBuilder::check_magnitude() const {
  double time = 0;
  double energy = 0;
  double waiting = 0;
  for (const GearCost& cost : problem_.costs_) {
    time += cost.time.value();
    energy += std::abs(cost.energy.value());
  }
  for (const Group& group : problem_.groups_)
    time += group.communication.value();
  for (const Watts watts : problem_.waiting_)
    waiting += watts.value();
  if (!std::isfinite(time) || !std::isfinite(energy + waiting * time))
    throw Error(ErrorKind::model, "time or energy of the problem is too large to compute with",
                "check the units of the problem");
}

Problem ProblemBuilder::finish(std::optional<Seconds> measured) {
  problem_.monotone_ &= !problem_.waiting_depends_on_gear_;
  check_magnitude();
  const std::vector<Gear> fastest(problem_.unit_count(), 0);
  const Prediction at_gear_0 = predict(problem_, fastest);
  if (!(at_gear_0.time.value() > 0))
    throw Error(ErrorKind::model, "the program takes no time in gear 0",
                "a workload with some computation or communication");
  problem_.baseline_ = {at_gear_0.time, at_gear_0.energy};
  if (measured)
    problem_.baseline_ = {*measured, at_gear_0.energy +
                                         problem_.group(0).waiting * (*measured - at_gear_0.time)};
  if (!(problem_.baseline_.energy.value() > 0))
    throw Error(ErrorKind::model, "the program takes no energy in gear 0",
                "give the nodes a power above zero");
  return std::move(problem_);
}

} // namespace hypermile::model
