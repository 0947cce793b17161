#include "select/pruned_merge.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace hypermile::select {
namespace {

using model::GearCost;

constexpr std::size_t worth_it = 8; // units; below, sorting all is as fast
constexpr std::size_t most_groups = 1000;
constexpr std::size_t most_price_buckets = std::size_t{1} << 16;

SweepPoint point_at(const model::Group& group, Seconds longest, Joules energy) {
  const Seconds time = longest + group.communication;
  SweepPoint point{};
  point.longest = longest;
  point.time = time;
  point.energy = energy + group.waiting * time;
  return point;
}

/// No point of the window that has at most this score takes more, and hardly less.
Joules most_energy(const Score& score, double value, const GroupMerge::Window& window) {
  Joules least = window.least_energy;
  Joules most = window.most_energy;
  for (int halving = 0; halving < 20; ++halving) {
    const Joules middle = 0.5 * (least + most);
    (score(window.from, middle) <= value ? least : most) = middle;
  }
  return most;
}

Joules cost(const SweepPoint& point, Watts price) { return point.energy + price * point.time; }

} // namespace

bool PrunedMerge::applies(const model::Problem& problem, const Score& score) {
  const model::Baseline& base = problem.baseline();
  return problem.monotone() && problem.unit_count() >= worth_it && problem.group_count() > 1 &&
         problem.group_count() <= most_groups && !score.bounded() &&
         score.price_of_time(base.time, base.energy) < Watts{unreachable};
}

void PrunedMerge::bracket(const model::Problem& problem, std::size_t index) {
  const model::Group group = problem.group(index);
  const std::size_t count = std::min(most_price_buckets, std::bit_ceil(group.units.size()));
  const double per_second =
      static_cast<double>(count) / (group.latest - group.shortest).value() * (1 - 1e-12);
  buckets_.assign(count, {});
  Joules energy;
  for (const std::uint32_t unit : group.units) {
    const auto costs = problem.costs(unit);
    std::size_t gear = 0;
    for (; gear + 1 < costs.size() && costs[gear + 1].time <= group.shortest; ++gear) {
    }
    energy += costs[gear].energy;
    for (++gear; gear < costs.size(); ++gear) {
      const double place = (costs[gear].time - group.shortest).value() * per_second;
      Bucket& bucket = buckets_[std::min(count - 1, static_cast<std::size_t>(place))];
      bucket.drop += costs[gear - 1].energy - costs[gear].energy;
      bucket.latest = std::max(bucket.latest, costs[gear].time);
    }
  }
  Bracket& bracket = brackets_[index];
  bracket.corners.assign(1, point_at(group, group.shortest, energy));
  bracket.attained = bracket.corners;
  for (std::size_t b = 0; b < count; ++b) {
    if (!(buckets_[b].drop > Joules{}))
      continue;
    energy -= buckets_[b].drop;
    const Seconds start{static_cast<double>(b) / per_second * (1 - bound_tolerance)};
    bracket.corners.push_back(point_at(group, group.shortest + start, energy));
    bracket.attained.push_back(point_at(group, buckets_[b].latest, energy));
  }
}

/// At a price of time the best point has the least energy + price * time, and with a higher price
/// it is never slower. So the dearest price tells where to begin, the cheapest where to end.
void PrunedMerge::narrow(const Prices& prices, Bracket& bracket) {
  const auto reach = [&](Watts price) {
    Joules best{unreachable};
    for (const SweepPoint& point : bracket.attained)
      best = std::min(best, cost(point, price));
    return best + Joules{1e-12 * std::abs(best.value())};
  };
  const Joules at_most = reach(prices.most);
  const Joules at_least = reach(prices.least);
  std::size_t first = 0;
  while (first + 1 < bracket.corners.size() && cost(bracket.corners[first], prices.most) > at_most)
    ++first;
  std::size_t last = bracket.corners.size() - 1;
  while (last > first && cost(bracket.corners[last], prices.least) > at_least)
    --last;
  bracket.first = bracket.corners[first].longest;
  bracket.last = bracket.attained[last].longest;
}

/// Every point of the group from `first` to `last`.
void PrunedMerge::refine(const model::Problem& problem, std::size_t index) {
  const model::Group group = problem.group(index);
  const Bracket& bracket = brackets_[index];
  steps_.clear();
  Joules energy;
  for (const std::uint32_t unit : group.units) {
    const auto costs = problem.costs(unit);
    std::size_t gear = 0;
    while (gear + 1 < costs.size() &&
           (costs[gear + 1].time <= group.shortest || costs[gear + 1].time < bracket.first))
      ++gear;
    energy += costs[gear].energy;
    for (++gear; gear < costs.size() && costs[gear].time <= bracket.last; ++gear)
      steps_.push_back({costs[gear].time, costs[gear - 1].energy - costs[gear].energy});
  }
  std::sort(steps_.begin(), steps_.end(),
            [](const GearCost& a, const GearCost& b) { return a.time < b.time; });
  points_[index].clear();
  if (!(bracket.first > group.shortest))
    points_[index].push_back(point_at(group, group.shortest, energy));
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    energy -= steps_[i].energy;
    if (i + 1 == steps_.size() || steps_[i].time < steps_[i + 1].time)
      points_[index].push_back(point_at(group, steps_[i].time, energy));
  }
}

void PrunedMerge::bracket_all(const model::Problem& problem, const Score& score) {
  const std::size_t groups = problem.group_count();
  brackets_.resize(groups);
  corners_.clear();
  attained_.clear();
  for (std::size_t k = 0; k < groups; ++k) {
    bracket(problem, k);
    corners_.add_group(brackets_[k].corners, score, groups);
    attained_.add_group(brackets_[k].attained, score, groups);
  }
}

PrunedMerge::Prices PrunedMerge::prices(const Score& score) const {
  const double reached = attained_.along_hull(score).score;
  const double worth = reached + bound_tolerance * std::abs(reached);
  GroupMerge::Window window = corners_.window(score, worth);
  // The program's time is the mean of the groups', so a second of one costs its share.
  const double share = 1 / static_cast<double>(brackets_.size());
  // Beyond the last corner the curves go on to the end of their last buckets.
  if (window.to >= window.end) {
    window.to = Seconds{};
    for (const Bracket& bracket : brackets_)
      window.to += bracket.attained.back().time * share;
  }
  const Watts least = score.price_of_time(window.to, window.least_energy);
  const Watts most = score.price_of_time(window.from, most_energy(score, worth, window));
  constexpr double rounding = 1e-6; // of price_of_time()
  return {least * (share * (1 - rounding)), most * (share * (1 + rounding))};
}

void PrunedMerge::assign(const model::Problem& problem, std::size_t group, Seconds longest,
                         std::vector<model::Gear>& gears) {
  for (const std::uint32_t unit : problem.group(group).units) {
    const auto costs = problem.costs(unit);
    model::Gear gear = 0;
    while (gear + 1 < costs.size() && costs[gear + 1].time <= longest)
      ++gear;
    gears[unit] = gear;
  }
}

void PrunedMerge::run(const model::Problem& problem, const Score& score, Plan& plan) {
  const std::size_t groups = problem.group_count();
  bracket_all(problem, score);
  const Prices range = prices(score);
  points_.resize(groups);
  exact_.clear();
  for (std::size_t k = 0; k < groups; ++k) {
    narrow(range, brackets_[k]);
    refine(problem, k);
    exact_.add_group(points_[k], score, groups);
  }
  const GroupMerge::Result best = exact_.along_hull(score);
  for (std::size_t k = 0; k < groups; ++k)
    assign(problem, k, points_[k][best.choice[k]].longest, plan.gears);
  plan.prediction = predict(problem, plan.gears);
  plan.certificate = {Certificate::Kind::exact, 0.0, "Theorem 7 (priced hull)"};
}

} // namespace hypermile::select
