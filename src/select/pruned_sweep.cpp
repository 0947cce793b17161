#include "select/pruned_sweep.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace hypermile::select {
namespace {

/// Up to here sorting is faster than buckets.
constexpr std::size_t few_units = 24;
constexpr std::size_t most_buckets = std::size_t{1} << 16;

} // namespace

bool PrunedSweep::applies(const model::Problem& problem, const Score& score) {
  return problem.group_count() == 1 && !problem.waiting_depends_on_gear() &&
         !score.caps_average_power() && !score.caps_peak_power();
}

void PrunedSweep::collect_steps(const model::Problem& problem) {
  const std::size_t count = problem.unit_count();
  units_.resize(count);
  if (problem.monotone()) {
    for (std::size_t unit = 0; unit < count; ++unit) {
      const auto costs = problem.costs(unit);
      units_[unit] = {costs.data(), costs.data() + costs.size()};
    }
    return;
  }
  steps_.clear();
  offsets_.assign(1, 0);
  for (std::size_t unit = 0; unit < count; ++unit) {
    const auto costs = problem.costs(unit);
    by_time_.resize(costs.size());
    std::iota(by_time_.begin(), by_time_.end(), 0U);
    std::sort(by_time_.begin(), by_time_.end(), [&](auto a, auto b) {
      return costs[a].time < costs[b].time ||
             (costs[a].time == costs[b].time && costs[a].energy < costs[b].energy);
    });
    for (const std::uint32_t gear : by_time_)
      if (steps_.size() == offsets_.back() || costs[gear].energy < steps_.back().energy)
        steps_.push_back(costs[gear]);
    offsets_.push_back(steps_.size());
  }
  for (std::size_t unit = 0; unit < count; ++unit)
    units_[unit] = {steps_.data() + offsets_[unit], steps_.data() + offsets_[unit + 1]};
}

void PrunedSweep::find_start() {
  shortest_ = latest_ = Seconds{};
  least_energy_ = energy_ = Joules{};
  for (const Unit& unit : units_) {
    shortest_ = std::max(shortest_, unit.at->time);
    latest_ = std::max(latest_, unit.end[-1].time);
    least_energy_ += unit.end[-1].energy;
  }
  for (Unit& unit : units_) {
    while (unit.at + 1 < unit.end && unit.at[1].time <= shortest_)
      ++unit.at;
    energy_ += unit.at->energy;
  }
}

double PrunedSweep::score_at(const Score& score, Seconds longest, Joules energy) const {
  const Seconds time = longest + communication_;
  return score.feasible_score(time, energy + waiting_ * time);
}

Seconds PrunedSweep::cut(const Score& score, const Best& best) const {
  Seconds low = shortest_;
  Seconds high = latest_;
  if (score_at(score, high, least_energy_) < best.score)
    return high;
  for (int halving = 0; halving < 8; ++halving) {
    const Seconds middle = low + (high - low) / 2;
    if (score_at(score, middle, least_energy_) < best.score)
      low = middle;
    else
      high = middle;
  }
  return high;
}

void PrunedSweep::sweep_directly(const Score& score, Seconds last, Best& best) {
  drops_.clear();
  for (const Unit& unit : units_)
    for (const Step* step = unit.at + 1; step < unit.end && step->time <= last; ++step)
      drops_.push_back({step->time, step[-1].energy - step->energy});
  std::sort(drops_.begin(), drops_.end(), [](const Drop& a, const Drop& b) { return a.at < b.at; });
  Joules energy = energy_;
  for (const Drop& drop : drops_) {
    energy -= drop.energy;
    if (const double value = score_at(score, drop.at, energy); value < best.score)
      best = {value, drop.at};
  }
}

/// Marks the buckets that can hold something better than what is reached at the end of some
/// bucket; returns how many. The corner (start of the bucket, energy after all its drops) is at
/// least as good as anything inside.
std::size_t PrunedSweep::prune_buckets(const Score& score, Seconds width, const Best& best) {
  const std::size_t count = bucket_energy_.size();
  double reached = best.score;
  Joules energy = energy_;
  const auto start_of = [&](std::size_t bucket) {
    return shortest_ + width * static_cast<double>(bucket);
  };
  for (std::size_t bucket = 0; bucket < count; ++bucket) {
    const Joules drop = bucket_energy_[bucket];
    bucket_energy_[bucket] = energy;
    energy -= drop;
    survives_[bucket] = drop > Joules{};
    if (survives_[bucket] != 0)
      reached = std::min(reached, score_at(score, start_of(bucket + 1), energy));
  }
  const double worth = reached + bound_tolerance * std::abs(reached);
  std::size_t survivors = 0;
  for (std::size_t bucket = 0; bucket < count; ++bucket) {
    if (survives_[bucket] == 0)
      continue;
    const Joules after = bucket + 1 < count ? bucket_energy_[bucket + 1] : energy;
    const bool keep = score_at(score, start_of(bucket), after) <= worth;
    survives_[bucket] = keep;
    survivors += keep;
  }
  return survivors;
}

void PrunedSweep::sweep_buckets(const Score& score, Seconds last, Best& best) {
  const std::size_t steps = static_cast<std::size_t>(units_.size()) * 8;
  const std::size_t count = std::min(most_buckets, std::bit_ceil(steps / 8));
  const Seconds width = (last - shortest_) / static_cast<double>(count);
  const auto bucket_of = [&](const Step& step) {
    return std::min(count - 1, static_cast<std::size_t>(
                                   static_cast<std::int64_t>((step.time - shortest_) / width)));
  };
  bucket_energy_.assign(count, Joules{});
  survives_.resize(count);
  for (const Unit& unit : units_)
    for (const Step* step = unit.at + 1; step < unit.end && step->time <= last; ++step)
      bucket_energy_[bucket_of(*step)] += step[-1].energy - step->energy;
  if (prune_buckets(score, width, best) == 0)
    return;
  drops_.clear();
  for (const Unit& unit : units_)
    for (const Step* step = unit.at + 1; step < unit.end && step->time <= last; ++step)
      if (survives_[bucket_of(*step)] != 0)
        drops_.push_back({step->time, step[-1].energy - step->energy});
  std::sort(drops_.begin(), drops_.end(), [](const Drop& a, const Drop& b) { return a.at < b.at; });
  std::size_t bucket = count;
  Joules energy;
  for (const Drop& drop : drops_) {
    if (const std::size_t now = bucket_of({drop.at, {}}); now != bucket) {
      bucket = now;
      energy = bucket_energy_[bucket];
    }
    energy -= drop.energy;
    if (const double value = score_at(score, drop.at, energy); value < best.score)
      best = {value, drop.at};
  }
}

void PrunedSweep::assign(const model::Problem& problem, Seconds longest,
                         std::vector<model::Gear>& gears) const {
  for (std::size_t unit = 0; unit < units_.size(); ++unit) {
    const auto costs = problem.costs(unit);
    if (problem.monotone()) {
      const Step* step = units_[unit].at;
      while (step + 1 < units_[unit].end && step[1].time <= longest)
        ++step;
      gears[unit] = static_cast<model::Gear>(step - costs.data());
      continue;
    }
    Joules least{unreachable};
    for (model::Gear gear = 0; gear < costs.size(); ++gear)
      if (costs[gear].time <= longest && costs[gear].energy < least) {
        least = costs[gear].energy;
        gears[unit] = gear;
      }
  }
}

bool PrunedSweep::run(const model::Problem& problem, const Score& score,
                      std::vector<model::Gear>& gears) {
  communication_ = problem.group(0).communication;
  waiting_ = problem.group(0).waiting;
  collect_steps(problem);
  find_start();
  Best best;
  if (const double value = score_at(score, shortest_, energy_); value < best.score)
    best = {value, shortest_};
  if (const Seconds last = cut(score, best); last > shortest_) {
    if (units_.size() <= few_units)
      sweep_directly(score, last, best);
    else
      sweep_buckets(score, last, best);
  }
  if (best.longest < Seconds{})
    return false;
  assign(problem, best.longest, gears);
  return true;
}

} // namespace hypermile::select
