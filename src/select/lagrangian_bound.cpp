#include "select/lagrangian_bound.hpp"

#include <algorithm>
#include <cmath>

namespace hypermile::select {
namespace {

/// Relative to the program's power in gear 0.
constexpr double least_price = 1e-6;
/// A box starts from what its whole has learnt: as if after so many rounds.
constexpr std::size_t first_round = 16;

} // namespace

LagrangianBound::LagrangianBound(Trials& trials)
    : trials_(trials), score_(trials.score().monotone()) {}

Box LagrangianBound::all() const {
  const auto& predictor = trials_.predictor();
  const model::Baseline& base = predictor.baseline();
  Box box;
  box.fastest.assign(predictor.node_count(), 0);
  for (std::size_t n = 0; n < predictor.node_count(); ++n)
    box.slowest.push_back(predictor.gear_count(n) - 1);
  box.price = base.energy / base.time;
  box.slopes.resize(predictor.node_count());
  return box;
}

LagrangianBound::Corner LagrangianBound::corner(const Box& box) {
  const auto& predictor = trials_.predictor();
  Corner corner;
  Watts peak;
  scales_.resize(box.fastest.size());
  for (std::size_t n = 0; n < box.fastest.size(); ++n)
    scales_[n] = predictor.scale(n, box.fastest[n]);
  corner.from = trials_.bounds().at(scales_);
  for (std::size_t n = 0; n < box.fastest.size(); ++n) {
    Joules least{unreachable};
    Watts waiting{unreachable};
    Watts least_peak{unreachable};
    for (model::Gear g = box.fastest[n]; g <= box.slowest[n]; ++g) {
      least = std::min(least, predictor.computing(n, g) + predictor.waiting(n, g) * corner.from);
      waiting = std::min(waiting, predictor.waiting(n, g));
      least_peak = std::min(least_peak, predictor.peak(n, g));
    }
    corner.energy += least;
    corner.waiting += waiting;
    peak += least_peak;
  }
  corner.score = score_.feasible_score(corner.from, corner.energy, peak);
  corner.to = latest(corner, box);
  return corner;
}

/// Later than this no gears of the box are better than the best known.
Seconds LagrangianBound::latest(const Corner& corner, const Box& box) {
  for (std::size_t n = 0; n < box.slowest.size(); ++n)
    scales_[n] = trials_.predictor().scale(n, box.slowest[n]);
  Seconds to = std::min(trials_.bounds().at(scales_), score_.time_limit());
  if (trials_.best().misses_bounds || score_(to, corner.energy) <= trials_.best().value)
    return std::max(to, corner.from);
  Seconds from = corner.from;
  for (int i = 0; i < 40; ++i) {
    const Seconds middle = 0.5 * (from + to);
    (score_(middle, corner.energy) < trials_.best().value ? from : to) = middle;
  }
  return to;
}

Joules LagrangianBound::least_sum(const Box& box, const Corner& corner) {
  const auto& predictor = trials_.predictor();
  // Waiting power that depends on the gear: what is above the least is drawn for `from` at least.
  const Watts price = box.price + corner.waiting;
  Joules sum = price * box.constant;
  candidate_.resize(box.fastest.size());
  for (std::size_t n = 0; n < box.fastest.size(); ++n) {
    Joules least{unreachable};
    for (model::Gear g = box.fastest[n]; g <= box.slowest[n]; ++g) {
      const Joules value = predictor.computing(n, g) + predictor.waiting(n, g) * corner.from +
                           price * (box.slopes[n] * predictor.scale(n, g));
      if (value < least) {
        least = value;
        candidate_[n] = g;
      }
    }
    sum += least;
  }
  return sum - corner.waiting * corner.from;
}

Seconds LagrangianBound::shift_mean(Box& box, const Corner& corner, double step) {
  const PathBounds& bounds = trials_.bounds();
  for (std::size_t n = 0; n < candidate_.size(); ++n)
    scales_[n] = trials_.predictor().scale(n, candidate_[n]);
  // Both sides of this game answer what the other one has done on average: it converges.
  Seconds longest = corner.from;
  Seconds worst = corner.from;
  std::size_t on = bounds.size();
  trials_.note_comparing(candidate_.size());
  for (std::size_t path = 0; path < bounds.size(); ++path) {
    const Seconds time = bounds.at(path, scales_);
    longest = std::max(longest, time);
    mean_of_paths_[path] += step * (time - mean_of_paths_[path]);
    if (mean_of_paths_[path] > worst) {
      worst = mean_of_paths_[path];
      on = path;
    }
  }
  const bool floor = on == bounds.size();
  box.constant += step * ((floor ? corner.from : bounds.constant(on)) - box.constant);
  for (std::size_t n = 0; n < box.slopes.size(); ++n)
    box.slopes[n] += step * ((floor ? Seconds{} : bounds.slopes(on)[n]) - box.slopes[n]);
  return longest;
}

/// All gears lie where energy >= sum - price * time. Along that line the score is least at an
/// end.
LagrangianBound::Proof LagrangianBound::prove(const Corner& corner, Watts price, Joules sum,
                                              Seconds time) const {
  Seconds from = corner.from;
  bool limited = false;
  if (score_.energy_limit().value() < unreachable) {
    const Seconds affordable = (sum - score_.energy_limit()) / price;
    limited = affordable > from;
    from = std::max(from, affordable);
  }
  if (from > corner.to)
    return {unreachable, true};
  const Seconds to = std::min(corner.to, std::max(from, (sum - corner.energy) / price));
  const double left = score_(from, sum - price * from);
  const double right = score_(to, sum - price * to);
  if (left < right)
    return {left, !limited || time > from};
  return {right, time > corner.to};
}

void LagrangianBound::remember(std::size_t rounds) {
  const std::size_t remembered = rounds - rounds / 2;
  for (std::size_t n = 0; n < candidate_.size(); ++n) {
    mean_scales_[n] +=
        trials_.predictor().scale(n, candidate_[n]) / static_cast<double>(remembered);
    least_[n] = std::min(least_[n], candidate_[n]);
    most_[n] = std::max(most_[n], candidate_[n]);
  }
}

void LagrangianBound::raise(Box& box, std::size_t rounds) {
  has_gears_ = false;
  const Corner corner = this->corner(box);
  box.bound = std::max(box.bound, corner.score);
  if (!(corner.score < unreachable) || !(Worth{false, box.bound} < trials_.best()))
    return;
  mean_of_paths_.assign(trials_.bounds().size(), corner.from);
  least_ = box.slowest;
  most_ = box.fastest;
  mean_scales_.assign(box.fastest.size(), 0);
  const model::Baseline& base = trials_.predictor().baseline();
  const Watts typical = base.energy / base.time;
  double factor = 2;
  bool raised = true;
  double proven = -unreachable;
  for (std::size_t round = 0; round < rounds; ++round) {
    const Watts price = box.price;
    const Joules sum = least_sum(box, corner);
    const Seconds time = shift_mean(box, corner, 2.0 / static_cast<double>(round + first_round));
    const Proof proof = prove(corner, price, sum, time);
    if (proof.bound > proven || !has_gears_) {
      proven = proof.bound;
      gears_ = candidate_;
      has_gears_ = true;
    }
    if (round >= rounds / 2)
      remember(rounds);
    if (proof.raise_price != raised)
      factor = std::max(std::pow(factor, 0.8), 1.05);
    raised = proof.raise_price;
    box.price = std::clamp(box.price * (raised ? factor : 1 / factor), typical * least_price,
                           typical / least_price);
  }
  box.bound = std::max(box.bound, proven);
}

} // namespace hypermile::select
