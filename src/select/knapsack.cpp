#include "select/knapsack.hpp"

#include <algorithm>

namespace hypermile::select {
namespace {

struct Edge {
  double slope; // joules per watt, negative
  std::size_t unit;
  std::size_t from; // positions in the unit's options
  std::size_t to;
};

/// Edges of the lower hull of one unit's options.
void add_edges(const std::vector<Knapsack::Option>& options, std::size_t unit,
               std::vector<Edge>& edges) {
  const auto slope = [&](std::size_t a, std::size_t b) {
    return (options[b].energy - options[a].energy).value() /
           (options[b].power - options[a].power).value();
  };
  std::vector<std::size_t> hull;
  for (std::size_t i = 0; i < options.size(); ++i) {
    while (hull.size() >= 2 && slope(hull[hull.size() - 2], hull.back()) >= slope(hull.back(), i))
      hull.pop_back();
    hull.push_back(i);
  }
  for (std::size_t j = 1; j < hull.size(); ++j)
    edges.push_back({slope(hull[j - 1], hull[j]), unit, hull[j - 1], hull[j]});
}

struct Sum {
  Watts power;
  Joules energy;
  std::uint32_t parent;
  std::uint32_t option;
};

} // namespace

void Knapsack::clear() { units_.clear(); }

void Knapsack::add_unit(std::vector<Option> options) {
  std::sort(options.begin(), options.end(), [](const Option& a, const Option& b) {
    return a.power < b.power || (a.power == b.power && a.energy < b.energy);
  });
  std::vector<Option> front;
  for (const Option& option : options)
    if (front.empty() || option.energy < front.back().energy)
      front.push_back(option);
  units_.push_back(std::move(front));
}

Knapsack::Result Knapsack::along_hull(Watts cap) const {
  Watts power;
  Result result;
  std::vector<Edge> edges;
  std::vector<std::size_t> at(units_.size(), 0);
  for (std::size_t unit = 0; unit < units_.size(); ++unit) {
    power += units_[unit][0].power;
    result.energy += units_[unit][0].energy;
    add_edges(units_[unit], unit, edges);
  }
  result.feasible = power <= cap;
  result.bound = result.energy;
  std::sort(edges.begin(), edges.end(),
            [](const Edge& a, const Edge& b) { return a.slope < b.slope; });
  bool relaxed = true; // the bound follows the hull until the cap cuts an edge
  for (const Edge& edge : edges) {
    const Watts more = units_[edge.unit][edge.to].power - units_[edge.unit][edge.from].power;
    const Joules change = units_[edge.unit][edge.to].energy - units_[edge.unit][edge.from].energy;
    const bool fits = power + more <= cap && at[edge.unit] == edge.from;
    if (relaxed)
      result.bound += fits ? change : change * std::max(0.0, (cap - power) / more);
    relaxed &= fits;
    if (fits) {
      power += more;
      result.energy += change;
      at[edge.unit] = edge.to;
    }
  }
  for (std::size_t unit = 0; unit < units_.size(); ++unit)
    result.gears.push_back(units_[unit][at[unit]].gear);
  return result;
}

void Knapsack::search(Watts cap, std::size_t limit, Result& result) const {
  // What the units not yet summed take at least.
  std::vector<Watts> power_left(units_.size() + 1);
  std::vector<Joules> energy_left(units_.size() + 1);
  for (std::size_t unit = units_.size(); unit-- > 0;) {
    power_left[unit] = power_left[unit + 1] + units_[unit].front().power;
    energy_left[unit] = energy_left[unit + 1] + units_[unit].back().energy;
  }
  std::vector<std::vector<Sum>> layers{{Sum{}}};
  std::size_t held = 0;
  for (std::size_t unit = 0; unit < units_.size(); ++unit) {
    std::vector<Sum> sums;
    for (std::uint32_t parent = 0; parent < layers.back().size(); ++parent)
      for (std::uint32_t option = 0; option < units_[unit].size(); ++option) {
        const Sum& before = layers.back()[parent];
        const Sum sum{before.power + units_[unit][option].power,
                      before.energy + units_[unit][option].energy, parent, option};
        if (sum.power + power_left[unit + 1] <= cap &&
            sum.energy + energy_left[unit + 1] < result.energy)
          sums.push_back(sum);
      }
    std::sort(sums.begin(), sums.end(), [](const Sum& a, const Sum& b) {
      return a.power < b.power || (a.power == b.power && a.energy < b.energy);
    });
    std::vector<Sum> kept;
    for (const Sum& sum : sums)
      if (kept.empty() || sum.energy < kept.back().energy)
        kept.push_back(sum);
    held += kept.size();
    if (held > limit)
      return;
    layers.push_back(std::move(kept));
  }
  if (!layers.back().empty()) { // the last one takes the least energy
    result.energy = layers.back().back().energy;
    auto index = static_cast<std::uint32_t>(layers.back().size() - 1);
    for (std::size_t unit = units_.size(); unit-- > 0;) {
      const Sum& sum = layers[unit + 1][index];
      result.gears[unit] = units_[unit][sum.option].gear;
      index = sum.parent;
    }
  }
  result.bound = result.energy;
}

Knapsack::Result Knapsack::solve(Watts cap, std::size_t limit) const {
  Result result = along_hull(cap);
  if (result.feasible && result.bound < result.energy)
    search(cap, limit, result);
  return result;
}

} // namespace hypermile::select
