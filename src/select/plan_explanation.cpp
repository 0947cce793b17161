#include "select/plan_explanation.hpp"

#include <algorithm>

namespace hypermile::select {
namespace {

using model::Gear;
using model::Problem;
using Node = PlanExplanation::Node;

/// All nodes of a homogeneous cluster are one unit, which computes as long as its slowest task.
std::vector<Seconds> computation_of_nodes(const Problem& problem, std::size_t unit, Gear gear) {
  if (const auto* cluster = problem.homogeneous()) {
    std::vector<Seconds> times;
    for (const auto& task : cluster->tasks)
      times.push_back(task.computation * problem.gears(unit).scale(gear));
    return times;
  }
  return {problem.costs(unit)[gear].time};
}

std::vector<Node> nodes_of(const Problem& problem, std::span<const Gear> gears) {
  std::vector<Node> nodes;
  for (std::size_t unit = 0; unit < gears.size(); ++unit)
    for (const Seconds computation : computation_of_nodes(problem, unit, gears[unit]))
      nodes.push_back(
          {.unit = unit, .group = 0, .gear = gears[unit], .computation = computation, .slack = {}});
  return nodes;
}

/// Finds the slowest of the group's nodes, and by how much the others are earlier.
PlanExplanation::Group explain_group(const Problem& problem, std::size_t index,
                                     std::vector<Node>& nodes) {
  const model::Group group = problem.group(index);
  const std::size_t per_unit = problem.nodes_per_unit();
  std::size_t slowest = group.units.front() * per_unit;
  const auto for_each_node = [&](auto&& visit) {
    for (const std::uint32_t unit : group.units)
      for (std::size_t n = unit * per_unit; n < (unit + 1) * per_unit; ++n)
        visit(n);
  };
  for_each_node([&](std::size_t n) {
    if (nodes[n].computation > nodes[slowest].computation)
      slowest = n;
  });
  for_each_node([&](std::size_t n) {
    nodes[n].group = index;
    nodes[n].slack = nodes[slowest].computation - nodes[n].computation;
  });
  return {.cluster = problem.cluster(nodes[slowest].unit),
          .slowest = slowest,
          .computation = nodes[slowest].computation,
          .communication = group.communication};
}

/// What a problem's model predicts of gears that differ from some in one unit, without looking at
/// all units again.
class Variations {
public:
  Variations(const Problem& problem, std::span<const Gear> gears)
      : problem_(problem), gears_(gears), present_(model::predict(problem, gears)),
        peak_(peak_power(problem, gears)), group_of_(gears.size()) {
    for (std::size_t k = 0; k < problem.group_count(); ++k) {
      groups_.push_back(summed(problem.group(k)));
      for (const std::uint32_t unit : problem.group(k).units)
        group_of_[unit] = k;
    }
  }

  [[nodiscard]] Figures present() const { return {present_, peak_}; }

  [[nodiscard]] Figures with(std::size_t unit, Gear gear) const {
    const Sums& group = groups_[group_of_[unit]];
    const auto& before = problem_.costs(unit)[gears_[unit]];
    const auto& after = problem_.costs(unit)[gear];
    const Seconds others = unit == group.longest_unit ? group.second : group.longest;
    const Seconds time = std::max(others, after.time) + group.communication;
    const Watts waiting =
        group.waiting - problem_.waiting(unit, gears_[unit]) + problem_.waiting(unit, gear);
    const Seconds was = group.longest + group.communication;
    const Joules energy =
        present_.energy - before.energy + after.energy - group.waiting * was + waiting * time;
    const auto groups = static_cast<double>(groups_.size());
    return {model::normalised(problem_.baseline(), present_.time + (time - was) / groups, energy),
            peak_ - problem_.active_power(unit, gears_[unit]) + problem_.active_power(unit, gear)};
  }

private:
  struct Sums {
    std::size_t longest_unit = 0;
    Seconds longest;
    Seconds second; ///< of the units other than the longest
    Seconds communication;
    Watts waiting;
  };

  [[nodiscard]] Sums summed(const model::Group& group) const {
    Sums sums{.longest_unit = group.units.front(),
              .longest = {},
              .second = {},
              .communication = group.communication,
              .waiting = {}};
    for (const std::uint32_t unit : group.units) {
      const Seconds time = problem_.costs(unit)[gears_[unit]].time;
      sums.waiting += problem_.waiting(unit, gears_[unit]);
      if (time > sums.longest) {
        sums.second = sums.longest;
        sums.longest = time;
        sums.longest_unit = unit;
      } else if (unit != sums.longest_unit) {
        sums.second = std::max(sums.second, time);
      }
    }
    return sums;
  }

  const Problem& problem_;
  std::span<const Gear> gears_;
  model::Prediction present_;
  Watts peak_;
  std::vector<Sums> groups_;
  std::vector<std::size_t> group_of_;
};

} // namespace

PlanExplanation explain(const Problem& problem, std::span<const Gear> gears,
                        const Request& request) {
  const Score score(problem.baseline(), request);
  PlanExplanation result;
  result.nodes = nodes_of(problem, gears);
  for (std::size_t k = 0; k < problem.group_count(); ++k)
    result.groups.push_back(explain_group(problem, k, result.nodes));
  std::vector<std::size_t> gear_counts;
  for (std::size_t unit = 0; unit < gears.size(); ++unit)
    gear_counts.push_back(problem.gear_count(unit));
  const Variations variations(problem, gears);
  result.neighbourhood = neighbourhood(
      gears, gear_counts, variations.present(),
      [&](std::size_t unit, Gear gear) { return variations.with(unit, gear); }, score);
  return result;
}

} // namespace hypermile::select
