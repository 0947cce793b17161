#include "select/group_merge.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <tuple>

namespace hypermile::select {

std::vector<GroupMerge::State> GroupMerge::front_of(std::vector<State>& sums) const {
  std::sort(sums.begin(), sums.end(), [](const State& a, const State& b) {
    return std::tie(a.time, a.coordinate, a.power) < std::tie(b.time, b.coordinate, b.power);
  });
  std::vector<State> kept;
  if (!powers_) {
    for (const State& sum : sums)
      if (kept.empty() || sum.coordinate < kept.back().coordinate)
        kept.push_back(sum);
    return kept;
  }
  // Least power so far for every coordinate: power falls along the map.
  std::map<Joules, Watts, std::less<>> staircase;
  for (const State& sum : sums) {
    auto next = staircase.upper_bound(sum.coordinate);
    if (next != staircase.begin() && std::prev(next)->second <= sum.power)
      continue;
    while (next != staircase.end() && next->second >= sum.power)
      next = staircase.erase(next);
    staircase.insert_or_assign(sum.coordinate, sum.power);
    kept.push_back(sum);
  }
  return kept;
}

bool GroupMerge::merge_all(std::size_t limit, Layers& layers) const {
  layers.assign(1, {State{}});
  std::size_t total = 0;
  std::vector<State> sums;
  for (std::size_t k = 0; k < group_count(); ++k) {
    const auto choices = group(k);
    const std::vector<State>& before = layers.back();
    if (before.size() * choices.size() > 16 * limit)
      return false;
    sums.clear();
    for (std::uint32_t parent = 0; parent < before.size(); ++parent)
      for (std::uint32_t point = 0; point < choices.size(); ++point)
        sums.push_back({before[parent].time + choices[point].time,
                        before[parent].energy + choices[point].energy,
                        before[parent].coordinate + choices[point].coordinate,
                        before[parent].power + choices[point].power, parent, point});
    std::vector<State> kept = front_of(sums);
    total += kept.size();
    if (total > limit)
      return false;
    layers.push_back(std::move(kept));
  }
  return true;
}

std::vector<std::uint32_t> GroupMerge::choice_of(const Layers& layers, std::uint32_t last) const {
  std::vector<std::uint32_t> choice(group_count());
  for (std::size_t k = group_count(); k-- > 0;) {
    const State& state = layers[k + 1][last];
    choice[k] = group(k)[state.point].index;
    last = state.parent;
  }
  return choice;
}

GroupMerge::Result GroupMerge::by_pareto(const Score& score, std::size_t limit) const {
  Layers layers;
  Result result;
  result.complete = merge_all(limit, layers);
  if (!result.complete)
    return result;
  const auto groups = static_cast<double>(group_count());
  std::uint32_t best = 0;
  for (std::uint32_t i = 0; i < layers.back().size(); ++i) {
    const State& sum = layers.back()[i];
    const double value = score.feasible_score(sum.time / groups, sum.energy, sum.power);
    if (value < result.score) {
      result.score = value;
      best = i;
    }
  }
  result.bound = result.score;
  result.choice = choice_of(layers, best);
  return result;
}

std::vector<GroupMerge::Sum> GroupMerge::front(std::size_t limit, bool& complete) const {
  std::vector<Sum> front;
  if (group_count() == 1) { // nothing to merge, however many points
    complete = true;
    for (const Point& point : points_)
      front.push_back({point.time, point.energy, {point.index}});
    return front;
  }
  Layers layers;
  complete = merge_all(limit, layers);
  if (!complete)
    return hull_front();
  const auto groups = static_cast<double>(group_count());
  for (std::uint32_t i = 0; i < layers.back().size(); ++i)
    front.push_back(
        {layers.back()[i].time / groups, layers.back()[i].energy, choice_of(layers, i)});
  return front;
}

std::vector<GroupMerge::Sum> GroupMerge::hull_front() const {
  const auto groups = static_cast<double>(group_count());
  const std::vector<Edge> order = edges();
  const bool with_choices = order.size() * group_count() <= most_front_gears;
  const State fastest = fastest_vertices();
  Sum now{fastest.time, fastest.energy, {}};
  if (with_choices)
    now.choice = choice_after({});
  std::vector<Sum> front{now};
  for (const Edge& edge : order) {
    const Point& from = points_[hull_[edge.to - 1]];
    const Point& to = points_[hull_[edge.to]];
    now.time += (to.time - from.time) / groups;
    now.energy += to.energy - from.energy;
    if (with_choices)
      now.choice[edge.group] = to.index;
    front.push_back(now);
  }
  return front;
}

} // namespace hypermile::select
