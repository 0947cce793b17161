#include "select/group_merge.hpp"

#include <algorithm>
#include <cmath>

namespace hypermile::select {
namespace {

/// Whether b lies on or above the line from a to c, and so is no vertex of a lower hull.
bool above(const GroupMerge::Point& a, const GroupMerge::Point& b, const GroupMerge::Point& c) {
  return (b.coordinate - a.coordinate).value() * (c.time - a.time).value() >=
         (c.coordinate - a.coordinate).value() * (b.time - a.time).value();
}

} // namespace

void GroupMerge::clear() {
  points_.clear();
  offsets_.assign(1, 0);
  hull_.clear();
  hull_offsets_.assign(1, 0);
  powers_ = false;
}

void GroupMerge::add_group(std::span<const SweepPoint> points, const Score& score,
                           std::size_t groups) {
  powers_ = score.caps_peak_power();
  const Watts share =
      score.caps_average_power() ? score.average_limit() / static_cast<double>(groups) : Watts{};
  const std::size_t first_in_hull = hull_.size();
  Joules least{unreachable};
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    const Joules coordinate = points[i].energy - share * points[i].time;
    const bool on_front = coordinate < least;
    if (on_front || powers_)
      points_.push_back({points[i].time, points[i].energy, coordinate, points[i].power, i});
    if (!on_front)
      continue;
    least = coordinate;
    while (hull_.size() >= first_in_hull + 2 &&
           above(points_[hull_[hull_.size() - 2]], points_[hull_.back()], points_.back()))
      hull_.pop_back();
    hull_.push_back(static_cast<std::uint32_t>(points_.size() - 1));
  }
  offsets_.push_back(points_.size());
  hull_offsets_.push_back(hull_.size());
}

std::vector<GroupMerge::Edge> GroupMerge::edges() const {
  std::vector<Edge> edges;
  edges.reserve(hull_.size());
  for (std::uint32_t k = 0; k < group_count(); ++k)
    for (std::size_t j = hull_offsets_[k] + 1; j < hull_offsets_[k + 1]; ++j) {
      const Point& from = points_[hull_[j - 1]];
      const Point& to = points_[hull_[j]];
      edges.push_back({(to.coordinate - from.coordinate).value() / (to.time - from.time).value(), k,
                       static_cast<std::uint32_t>(j)});
    }
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    return a.slope < b.slope || (a.slope == b.slope && a.to < b.to);
  });
  return edges;
}

GroupMerge::State GroupMerge::fastest_vertices() const {
  const auto groups = static_cast<double>(group_count());
  State now{};
  for (std::size_t k = 0; k < group_count(); ++k) {
    const Point& fastest = points_[hull_[hull_offsets_[k]]];
    now.time += fastest.time / groups;
    now.energy += fastest.energy;
    now.coordinate += fastest.coordinate;
    now.power += fastest.power;
  }
  return now;
}

namespace {

/// The least score on the part of a hull edge that keeps the bounds. The score is quasi-concave
/// along a line, so it is least at one of the part's ends.
template <class State> double least_on_edge(const Score& score, const State& a, const State& b) {
  double from = 0;
  double to = 1;
  // Each bound is linear in the share of the edge that is walked.
  const auto keep = [&](double at_a, double at_b, double limit) {
    const double slope = at_b - at_a;
    const double room = limit - at_a;
    if (slope > 0)
      to = std::min(to, room / slope);
    else if (slope < 0)
      from = std::max(from, room / slope);
    else if (room < 0)
      to = -1;
  };
  if (score.time_limit().value() < unreachable)
    keep(a.time.value(), b.time.value(), score.time_limit().value());
  if (score.energy_limit().value() < unreachable)
    keep(a.energy.value(), b.energy.value(), score.energy_limit().value());
  if (score.caps_average_power())
    keep(a.coordinate.value(), b.coordinate.value(), 0);
  const auto at = [&](double share) {
    return score(a.time + (b.time - a.time) * share, a.energy + (b.energy - a.energy) * share);
  };
  return from > to ? unreachable : std::min(at(from), at(to));
}

} // namespace

std::vector<std::uint32_t> GroupMerge::choice_after(std::span<const Edge> walked) const {
  std::vector<std::uint32_t> at(group_count());
  for (std::size_t k = 0; k < group_count(); ++k)
    at[k] = static_cast<std::uint32_t>(hull_offsets_[k]);
  for (const Edge& edge : walked)
    at[edge.group] = std::max(at[edge.group], edge.to);
  for (std::uint32_t& position : at)
    position = points_[hull_[position]].index;
  return at;
}

GroupMerge::Result GroupMerge::along_hull(const Score& score) const {
  const auto groups = static_cast<double>(group_count());
  State now = fastest_vertices();
  const std::vector<Edge> order = edges();
  Result result;
  result.score = score.feasible_score(now.time, now.energy, now.power);
  result.bound = score.feasible_score(now.time, now.energy);
  std::size_t best = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Point& from = points_[hull_[order[i].to - 1]];
    const Point& to = points_[hull_[order[i].to]];
    State next = now;
    next.time += (to.time - from.time) / groups;
    next.energy += to.energy - from.energy;
    next.coordinate += to.coordinate - from.coordinate;
    next.power += to.power - from.power;
    result.bound = std::min(result.bound, least_on_edge(score, now, next));
    now = next;
    if (const double value = score.feasible_score(now.time, now.energy, now.power);
        value < result.score) {
      result.score = value;
      best = i + 1;
    }
  }
  result.choice = choice_after({order.data(), best});
  return result;
}

GroupMerge::Window GroupMerge::window(const Score& score, double value) const {
  const auto groups = static_cast<double>(group_count());
  State now = fastest_vertices();
  Window window;
  window.most_energy = now.energy;
  const auto extend = [&](Seconds from, Seconds to) {
    window.from = std::min(window.from, from);
    window.to = std::max(window.to, to);
  };
  if (score(now.time, now.energy) <= value)
    extend(now.time, now.time);
  for (const Edge& edge : edges()) {
    const Point& from = points_[hull_[edge.to - 1]];
    const Point& to = points_[hull_[edge.to]];
    State next = now;
    next.time += (to.time - from.time) / groups;
    next.energy += to.energy - from.energy;
    if (least_on_edge(score, now, next) <= value)
      extend(now.time, next.time);
    now = next;
  }
  window.least_energy = now.energy;
  window.end = now.time;
  return window;
}

GroupMerge::Result GroupMerge::least_power(const Score& score) const {
  const auto groups = static_cast<double>(group_count());
  Result result;
  State sum{};
  for (std::size_t k = 0; k < group_count(); ++k) {
    const Point& least =
        *std::min_element(group(k).begin(), group(k).end(),
                          [](const Point& a, const Point& b) { return a.power < b.power; });
    sum.time += least.time / groups;
    sum.energy += least.energy;
    sum.power += least.power;
    result.choice.push_back(least.index);
  }
  result.score = score.feasible_score(sum.time, sum.energy, sum.power);
  result.complete = sum.power > score.peak_limit();
  return result;
}

std::vector<const GroupMerge::Point*>
GroupMerge::points_of(const std::vector<std::uint32_t>& choice, State& sum) const {
  const auto groups = static_cast<double>(group_count());
  std::vector<const Point*> points(group_count());
  sum = State{};
  for (std::size_t k = 0; k < group_count(); ++k) {
    points[k] =
        &*std::lower_bound(group(k).begin(), group(k).end(), choice[k],
                           [](const Point& p, std::uint32_t index) { return p.index < index; });
    sum.time += points[k]->time / groups;
    sum.energy += points[k]->energy;
    sum.power += points[k]->power;
  }
  return points;
}

double GroupMerge::score_of(const Score& score, const std::vector<std::uint32_t>& choice) const {
  State sum;
  (void)points_of(choice, sum);
  return score.feasible_score(sum.time, sum.energy, sum.power);
}

void GroupMerge::improve(const Score& score, Result& result) const {
  const auto groups = static_cast<double>(group_count());
  State now;
  std::vector<const Point*> at = points_of(result.choice, now);
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t k = 0; k < group_count(); ++k)
      for (const Point& other : group(k)) {
        State next = now;
        next.time += (other.time - at[k]->time) / groups;
        next.energy += other.energy - at[k]->energy;
        next.power += other.power - at[k]->power;
        const double value = score.feasible_score(next.time, next.energy, next.power);
        if (value < result.score - bound_tolerance * std::abs(result.score)) {
          result.score = value;
          now = next;
          at[k] = &other;
          result.choice[k] = other.index;
          moved = true;
        }
      }
  }
}

} // namespace hypermile::select
