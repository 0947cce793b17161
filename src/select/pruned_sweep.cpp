#include "select/pruned_sweep.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace hypermile::select {
namespace {

/// Up to here sorting is faster than buckets.
constexpr std::size_t few_units = 24;
constexpr std::size_t most_buckets = std::size_t{1} << 16;

} // namespace

bool PrunedSweep::applies(const model::Problem& problem, const Score& score) {
  return problem.group_count() == 1 && problem.monotone() && !score.caps_average_power() &&
         !score.caps_peak_power();
}

void PrunedSweep::start(const model::Problem& problem) {
  units_.resize(problem.unit_count());
  for (std::size_t unit = 0; unit < units_.size(); ++unit) {
    const auto costs = problem.costs(unit);
    units_[unit] = {costs.data(), costs.data() + costs.size()};
  }
}

Joules PrunedSweep::advance(Seconds longest) {
  Joules energy;
  for (Unit& unit : units_) {
    fetch_ahead(unit);
    while (unit.at + 1 < unit.end && unit.at[1].time <= longest)
      ++unit.at;
    energy += unit.at->energy;
  }
  return energy;
}

double PrunedSweep::score_at(const Score& score, Seconds longest, Joules energy) const {
  const Seconds time = longest + group_.communication;
  // The corner of a bound may lie below zero, where no energy is and no score is monotone.
  return score.feasible_score(time, std::max(Joules{}, energy + group_.waiting * time));
}

Seconds PrunedSweep::cut(const Score& score, const Best& best) const {
  Seconds low = shortest_;
  Seconds high = group_.latest;
  if (score_at(score, high, group_.least_energy) < best.score)
    return high;
  for (int halving = 0; halving < 8; ++halving) {
    const Seconds middle = low + (high - low) / 2;
    if (score_at(score, middle, group_.least_energy) < best.score)
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
/// bucket. The corner (start of the bucket, energy after all its drops) is at least as good as
/// anything inside.
PrunedSweep::Range PrunedSweep::prune_buckets(const Score& score, const Best& best) {
  const std::size_t count = bucket_energy_.size();
  double reached = best.score;
  Joules energy = energy_;
  for (std::size_t bucket = 0; bucket < count; ++bucket) {
    const Joules drop = bucket_energy_[bucket];
    bucket_energy_[bucket] = energy;
    energy -= drop;
    survives_[bucket] = drop > Joules{};
    if (survives_[bucket] != 0)
      reached = std::min(reached, score_at(score, start_of(bucket + 1), energy));
  }
  const double worth = reached + bound_tolerance * std::abs(reached);
  Range range{count, 0};
  for (std::size_t bucket = 0; bucket < count; ++bucket) {
    if (survives_[bucket] == 0)
      continue;
    const Joules after = bucket + 1 < count ? bucket_energy_[bucket + 1] : energy;
    survives_[bucket] = score_at(score, start_of(bucket), after) <= worth;
    if (survives_[bucket] != 0)
      range = {std::min(range.first, bucket), bucket + 1};
  }
  return range;
}

void PrunedSweep::fill_buckets(Seconds last) {
  const std::size_t count = std::min(most_buckets, std::bit_ceil(units_.size()));
  bucket_width_ = (last - shortest_) / static_cast<double>(count);
  buckets_per_second_ = 1 / bucket_width_.value();
  bucket_energy_.assign(count, Joules{});
  survives_.resize(count);
  for (const Unit& unit : units_) {
    fetch_ahead(unit);
    for (const Step* step = unit.at + 1; step < unit.end && step->time <= last; ++step)
      bucket_energy_[bucket_of(step->time)] += step[-1].energy - step->energy;
  }
}

/// Bucket numbers never fall with time, so the steps before the range may be passed for good.
void PrunedSweep::gather_survivors(const Range& range, Seconds last) {
  drops_.clear();
  for (Unit& unit : units_) {
    fetch_ahead(unit);
    while (unit.at + 1 < unit.end && bucket_of(unit.at[1].time) < range.first)
      ++unit.at;
    for (const Step* step = unit.at + 1; step < unit.end && step->time <= last; ++step) {
      const std::size_t bucket = bucket_of(step->time);
      if (bucket >= range.last)
        break;
      if (survives_[bucket] != 0)
        drops_.push_back({step->time, step[-1].energy - step->energy});
    }
  }
  std::sort(drops_.begin(), drops_.end(), [](const Drop& a, const Drop& b) { return a.at < b.at; });
}

void PrunedSweep::sweep_buckets(const Score& score, Seconds last, Best& best) {
  fill_buckets(last);
  const Range range = prune_buckets(score, best);
  if (range.first >= range.last)
    return;
  gather_survivors(range, last);
  std::size_t bucket = bucket_energy_.size();
  Joules energy;
  for (const Drop& drop : drops_) {
    if (const std::size_t now = bucket_of(drop.at); now != bucket) {
      bucket = now;
      energy = bucket_energy_[bucket];
    }
    energy -= drop.energy;
    if (const double value = score_at(score, drop.at, energy); value < best.score)
      best = {value, drop.at};
  }
}

model::Prediction PrunedSweep::assign(const model::Problem& problem, Seconds longest,
                                      std::vector<model::Gear>& gears) {
  const Joules energy = advance(longest);
  gears.resize(units_.size());
  for (std::size_t unit = 0; unit < units_.size(); ++unit)
    gears[unit] = static_cast<model::Gear>(units_[unit].at - problem.costs(unit).data());
  const Seconds time = longest + group_.communication;
  return normalised(problem.baseline(), time, energy + group_.waiting * time);
}

bool PrunedSweep::run(const model::Problem& problem, const Score& score, Plan& plan) {
  group_ = problem.group(0);
  shortest_ = group_.shortest;
  start(problem);
  energy_ = advance(shortest_);
  Best best;
  if (const double value = score_at(score, shortest_, energy_); value < best.score)
    best = {value, shortest_};
  const Seconds last = cut(score, best);
  // Times so close that no bucket fits between them are sorted.
  const bool few =
      units_.size() <= few_units ||
      (last - shortest_).value() < 2 * most_buckets * std::numeric_limits<double>::min();
  if (last > shortest_ && few)
    sweep_directly(score, last, best);
  else if (last > shortest_)
    sweep_buckets(score, last, best);
  if (best.longest < Seconds{})
    return false;
  if (best.longest == shortest_)
    start(problem); // the buckets may have been passed in vain
  plan.prediction = assign(problem, best.longest, plan.gears);
  return true;
}

} // namespace hypermile::select
