#include "select/brute.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace hypermile::select {
namespace {

using model::Gear;

void refuse_large(const model::Problem& problem) {
  double vectors = 1;
  for (std::size_t unit = 0; unit < problem.unit_count(); ++unit)
    vectors *= static_cast<double>(problem.gear_count(unit));
  if (vectors > brute_limit)
    throw Error(ErrorKind::model,
                fmt::format("brute force would visit {:.3g} gear vectors, more than {:.0e}",
                            vectors, brute_limit),
                "--method exact");
}

/// Counts through all vectors; false after the last.
bool advance(const model::Problem& problem, std::vector<Gear>& gears) {
  for (std::size_t unit = 0; unit < gears.size(); ++unit) {
    if (++gears[unit] < problem.gear_count(unit))
      return true;
    gears[unit] = 0;
  }
  return false;
}

/// Smaller is better: how far beyond the bounds (0 within), objective, energy, time.
using Rank = std::tuple<double, double, Joules, Seconds>;

Rank rank(const model::Problem& problem, const Score& score, std::optional<Watts> cap,
          std::span<const Gear> gears) {
  const model::Prediction p = predict(problem, gears);
  double excess = score.feasible(p.time, p.energy) ? 0 : score.worst_ratio(p.time, p.energy);
  if (cap) {
    Watts peak;
    for (std::size_t unit = 0; unit < gears.size(); ++unit)
      peak += problem.active_power(unit, gears[unit]);
    if (peak > *cap * (1 + bound_tolerance))
      excess = std::max({excess, score.worst_ratio(p.time, p.energy), peak / *cap});
  }
  return {excess, excess > 0 ? excess : score(p.time, p.energy), p.energy, p.time};
}

} // namespace

void brute_force(const model::Problem& problem, const Score& score,
                 std::optional<Watts> peak_power_cap, std::vector<Gear>& best) {
  refuse_large(problem);
  best.assign(problem.unit_count(), 0);
  std::vector<Gear> gears = best;
  Rank least = rank(problem, score, peak_power_cap, gears);
  while (advance(problem, gears))
    if (const Rank now = rank(problem, score, peak_power_cap, gears); now < least) {
      least = now;
      best = gears;
    }
}

} // namespace hypermile::select
