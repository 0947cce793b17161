#include "select/solvers.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

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

Rank rank(const model::Problem& problem, const Score& score, std::span<const Gear> gears) {
  const model::Prediction p = predict(problem, gears);
  const Watts peak = score.caps_peak_power() ? peak_power(problem, gears) : Watts{};
  const bool feasible = score.feasible(p.time, p.energy) && peak <= score.peak_limit();
  const double excess = feasible ? 0 : score.worst_ratio(p.time, p.energy, peak);
  return {excess, feasible ? score(p.time, p.energy) : excess, p.energy, p.time};
}

} // namespace

void brute_force(const model::Problem& problem, const Score& score, Plan& plan) {
  refuse_large(problem);
  std::vector<Gear>& best = plan.gears;
  best.assign(problem.unit_count(), 0);
  std::vector<Gear> gears = best;
  Rank least = rank(problem, score, gears);
  while (advance(problem, gears))
    if (const Rank now = rank(problem, score, gears); now < least) {
      least = now;
      best = gears;
    }
  plan.prediction = predict(problem, best);
  plan.certificate = {Certificate::Kind::exact, 0.0, "enumeration"};
}

} // namespace hypermile::select
