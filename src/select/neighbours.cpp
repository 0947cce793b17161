#include "select/neighbours.hpp"

#include <cmath>

namespace hypermile::select {
namespace {

/// Differences of this size are rounding: of the score where it is of the size of 1, else relative.
constexpr double rounding = 1e-9;

class Judge {
public:
  Judge(const Figures& present, const Score& score) : score_(score), present_(present) {}

  [[nodiscard]] bool keeps_bounds(const Figures& figures) const {
    return score_.feasible_score(figures.prediction.time, figures.prediction.energy, figures.peak) <
           unreachable;
  }

  [[nodiscard]] Neighbour judge(model::Gear gear, const Figures& figures) const {
    const model::Prediction& now = present_.prediction;
    const model::Prediction& then = figures.prediction;
    Neighbour result{.gear = gear,
                     .prediction = then,
                     .time_change = then.time / now.time - 1,
                     .energy_change = then.energy / now.energy - 1,
                     .distance_change = then.distance - now.distance,
                     .gain = value(now) - value(then),
                     .keeps_bounds = keeps_bounds(figures)};
    result.better = is_better(result, figures);
    return result;
  }

private:
  [[nodiscard]] double value(const model::Prediction& p) const { return score_(p.time, p.energy); }
  [[nodiscard]] double beyond(const Figures& f) const {
    return score_.worst_ratio(f.prediction.time, f.prediction.energy, f.peak);
  }

  [[nodiscard]] bool is_better(const Neighbour& neighbour, const Figures& figures) const {
    if (!keeps_bounds(present_))
      return neighbour.keeps_bounds || beyond(figures) < beyond(present_) * (1 - rounding);
    const bool near_one = score_.objective().power_of_length == 0;
    const double size = near_one ? 1 : std::abs(value(present_.prediction));
    return neighbour.keeps_bounds && neighbour.gain > rounding * size;
  }

  const Score& score_;
  const Figures& present_;
};

/// Of two neighbours that are better than the present gears.
bool before(const Neighbour& a, const Neighbour& b) {
  return a.keeps_bounds != b.keeps_bounds ? a.keeps_bounds : a.gain > b.gain;
}

} // namespace

Neighbourhood neighbourhood(std::span<const model::Gear> gears,
                            std::span<const std::size_t> gear_counts, const Figures& present,
                            const EvaluateWith& evaluate, const Score& score) {
  const Judge judge(present, score);
  Neighbourhood result{.present = present,
                       .score = score(present.prediction.time, present.prediction.energy),
                       .keeps_bounds = judge.keeps_bounds(present),
                       .units = {}};
  result.units.resize(gears.size());
  for (std::size_t unit = 0; unit < gears.size(); ++unit) {
    const auto in = [&](model::Gear gear) { return judge.judge(gear, evaluate(unit, gear)); };
    if (gears[unit] > 0)
      result.units[unit].faster = in(gears[unit] - 1);
    if (gears[unit] + 1 < gear_counts[unit])
      result.units[unit].slower = in(gears[unit] + 1);
  }
  return result;
}

std::optional<BestNeighbour> best(const Neighbourhood& neighbourhood) {
  std::optional<BestNeighbour> best;
  for (std::size_t unit = 0; unit < neighbourhood.units.size(); ++unit)
    for (const auto& neighbour :
         {neighbourhood.units[unit].faster, neighbourhood.units[unit].slower})
      if (neighbour && neighbour->better && (!best || before(*neighbour, best->neighbour)))
        best = BestNeighbour{unit, *neighbour};
  return best;
}

} // namespace hypermile::select
