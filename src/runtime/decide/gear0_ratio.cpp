#include "runtime/decide/gear0_ratio.hpp"

#include "runtime/decide/common_loop.hpp"
#include "runtime/decide/recorded_iterations.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace hypermile::runtime {
namespace {

/// An iteration holds several of those measured in gear 0 where it has so much more to do: an
/// outer loop has taken over. Calls alone do not tell: who polls calls more the longer it waits.
constexpr double another_loop = 1.2;

/// A rank that has so much more to compute than then has really got more to do.
constexpr double real_growth = 1.05;

double scale(const Measurement& m) {
  return model::stretch(m.node.type.gears.scale(m.gear), m.sensitivity);
}

const Measurement& longest(const std::vector<Measurement>& measurements) {
  return *std::ranges::max_element(measurements, {},
                                   [](const Measurement& m) { return length(m); });
}

/// Of mean_iteration(), against itself.
double relative_error(const std::vector<Measurement>& measurements) {
  std::vector<double> lengths;
  for (const RecordedIteration& iteration : recorded_iterations(measurements))
    lengths.push_back(iteration.length);
  if (lengths.size() < 2) {
    const Measurement& m = longest(measurements);
    return length(m) > Seconds{} ? m.deviation / length(m) : 0;
  }
  // How much few iterations vary says little of how much they do (Student's t, against the normal).
  constexpr std::array few{3.3, 1.6, 1.3};
  const double unsure = lengths.size() - 2 < few.size() ? few[lengths.size() - 2] : 1;
  const auto count = static_cast<double>(lengths.size());
  const double mean = std::accumulate(lengths.begin(), lengths.end(), 0.0) / count;
  double squares = 0;
  for (const double l : lengths)
    squares += (l - mean) * (l - mean);
  return mean > 0 ? unsure * std::sqrt(squares / (count - 1) / count) / mean : 0;
}

} // namespace

bool sets_a_gear(const Decision& decision) {
  return std::ranges::any_of(decision.gears, [](model::Gear gear) { return gear != 0; });
}

double predicted_time_ratio(const Decision& decision) { return 1 / decision.prediction.p_norm; }

void decline(Decision& decision, std::string why) {
  decision.gears.assign(decision.gears.size(), 0);
  decision.prediction =
      model::normalised(decision.baseline, decision.baseline.time, decision.baseline.energy);
  decision.declined = std::move(why);
}

void Gear0Ratio::forget() {
  reference_.clear();
  recorded_.clear();
}

/// How many of the iterations of `then` one of now holds: more or fewer than one where an outer or
/// an inner loop has taken over.
double Gear0Ratio::holds(const Measurement& now, const Rank& then) {
  const double calls = now.calls / then.calls;
  const Seconds computation = now.computation / scale(now);
  const double work = then.computation > Seconds{} ? computation / then.computation : calls;
  const bool outer = std::min(calls, work) > another_loop;
  const bool inner = std::max(calls, work) < 1 / another_loop;
  return outer || inner ? calls : 1;
}

bool Gear0Ratio::extends_to(const std::vector<Measurement>& measurements) const {
  constexpr double alike = 1.3;
  if (reference_.empty())
    return true;
  return std::ranges::equal(measurements, reference_, [](const auto& m, const Rank& then) {
    const double calls = m.calls / then.calls;
    const double work = m.computation / scale(m) / then.computation;
    return then.computation <= Seconds{} || (calls < work * alike && work < calls * alike);
  });
}

bool Gear0Ratio::is_of_same_loop(const std::vector<Measurement>& measurements) const {
  return std::ranges::equal(measurements, reference_,
                            [](const auto& m, const auto& then) { return holds(m, then) == 1; });
}

/// Whether iterations in gear 0 take as long as they did, as far as that is known.
bool Gear0Ratio::is_unchanged(const std::vector<Measurement>& measurements, double error) const {
  const double change = mean_iteration(measurements) / length_ - 1;
  return std::abs(change) <= 0.01 + 3 * std::hypot(error, error_);
}

void Gear0Ratio::learn(const std::vector<Measurement>& measurements) {
  const double error = relative_error(measurements);
  const bool more_of_it =
      error > 0 && error_ > 0 && is_of_same_loop(measurements) && is_unchanged(measurements, error);
  // Each counts as much as it is sure.
  const double weight = more_of_it ? 1 / (1 + (error * error) / (error_ * error_)) : 1;
  if (!more_of_it)
    reference_.assign(measurements.size(), {});
  length_ = length_ * (1 - weight) + mean_iteration(measurements) * weight;
  for (std::size_t r = 0; r < measurements.size(); ++r) {
    const Measurement& m = measurements[r];
    Rank& then = reference_[r];
    then.computation = then.computation * (1 - weight) + m.computation * weight;
    then.calls = then.calls * (1 - weight) + m.calls * weight;
  }
  error_ = more_of_it ? error * error_ / std::hypot(error, error_) : error;
  if (!more_of_it)
    recorded_.clear();
  for (const RecordedIteration& iteration : recorded_iterations(measurements))
    if (recorded_.empty() || iteration.first_event > recorded_.back().first_event)
      recorded_.push_back(iteration);
}

/// Computation of an iteration in gear 0 on the rank that has most of it.
Gear0Ratio::Work Gear0Ratio::most_work(const std::vector<Measurement>& measurements) const {
  Work most;
  for (std::size_t r = 0; r < measurements.size(); ++r) {
    const Measurement& m = measurements[r];
    const Rank& then = reference_[r];
    most.then = std::max(most.then, then.computation * holds(m, then));
    most.now = std::max(most.now, m.computation / scale(m));
  }
  return most;
}

bool Gear0Ratio::is_outdated(const std::vector<Measurement>& measurements) const {
  constexpr double other_work = 1.25;
  if (reference_.size() != measurements.size())
    return false;
  const Work work = most_work(measurements);
  return work.now > work.then * other_work || work.then > work.now * other_work;
}

/// Where that is surer than to compare means.
std::optional<TimeRatio> Gear0Ratio::by_work(const std::vector<Measurement>& measurements) const {
  if (reference_.size() != measurements.size() || !is_of_same_loop(measurements))
    return std::nullopt;
  const auto then = length_by_work(recorded_);
  const auto now = length_by_work(recorded_iterations(measurements));
  const auto ratio = then && now ? at_same_work(*now, *then) : std::nullopt;
  return ratio && ratio->error < error_of_means(measurements) ? ratio : std::nullopt;
}

/// In gear 0, of as much of the loop as an iteration holds now.
Seconds Gear0Ratio::length_then(const std::vector<Measurement>& measurements) const {
  double held = 0;
  for (std::size_t r = 0; r < measurements.size(); ++r)
    held = std::max(held, holds(measurements[r], reference_[r]));
  return length_ * held;
}

std::optional<double>
Gear0Ratio::time_ratio_of_same_work(const std::vector<Measurement>& measurements) const {
  if (reference_.size() != measurements.size())
    return std::nullopt;
  const Seconds in_gear0 = length_then(measurements);
  return in_gear0 > Seconds{} ? std::optional(mean_iteration(measurements) / in_gear0)
                              : std::nullopt;
}

std::optional<double> Gear0Ratio::time_ratio(const std::vector<Measurement>& measurements) const {
  if (reference_.size() != measurements.size())
    return std::nullopt;
  if (const auto ratio = by_work(measurements))
    return ratio->value;
  Seconds in_gear0 = length_then(measurements);
  const Work work = most_work(measurements);
  if (work.now > work.then * real_growth)
    in_gear0 += work.now - work.then;
  if (in_gear0 <= Seconds{})
    return std::nullopt;
  return mean_iteration(measurements) / in_gear0;
}

std::optional<double>
Gear0Ratio::tellable_time_ratio(const std::vector<Measurement>& measurements) const {
  constexpr double most_error = 0.02;
  if (!is_of_same_loop(measurements) || error(measurements) > most_error)
    return std::nullopt;
  return time_ratio(measurements);
}

double Gear0Ratio::error_of_means(const std::vector<Measurement>& measurements) const {
  return std::hypot(error_, relative_error(measurements));
}

double Gear0Ratio::error(const std::vector<Measurement>& measurements) const {
  const auto ratio = by_work(measurements);
  return ratio ? ratio->error : error_of_means(measurements);
}

} // namespace hypermile::runtime
