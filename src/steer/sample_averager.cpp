#include "steer/sample_averager.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hypermile::steer {
namespace {

constexpr double fine_error = 0.02; ///< a visit may end
constexpr std::size_t least_measurements = 2;
/// Fewer are no measure of how fast a program is: samples are put together until there are so many.
constexpr double enough_items = 10;
/// By so much of an item a count deviates, as some are half finished at its begin and its end.
constexpr double part_of_an_item = 0.4;
/// Of a steady program so many samples are enough, however little it did in them.
constexpr double most_samples = 10;
/// The prior of how much single measurements deviate, as if two had been seen.
constexpr double first_deviation = 0.03;
constexpr double first_weight = 2;

/// The mean of measurements of one configuration, without its error.
Measurement mean_of(const std::vector<Measurement>& measurements) {
  const auto count = static_cast<double>(measurements.size());
  Measurement mean{};
  mean.load = 0;
  mean.granted = 0;
  for (const Measurement& one : measurements) {
    mean.capacity += one.capacity / count;
    mean.power += one.power / count;
    mean.load += one.load / count;
    mean.granted += one.granted / count;
  }
  return mean;
}

double squared_deviations(const std::vector<Measurement>& measurements, const Measurement& mean) {
  double capacity = 0;
  double power = 0;
  for (const Measurement& one : measurements) {
    capacity += std::pow(one.capacity / mean.capacity - 1, 2);
    power += std::pow(one.power / mean.power - 1, 2);
  }
  return std::max(capacity, power);
}

} // namespace

SampleAverager::SampleAverager(const Sampling& sampling)
    : sampling_(sampling), scatter_(first_deviation, first_weight) {}

void SampleAverager::begin() {
  pending_.reset();
  measurements_.clear();
  items_ = 0;
  visited_for_ = Seconds{};
}

std::optional<Sample> SampleAverager::put_together(const Sample& sample, Seconds longest) {
  pending_ = pending_ ? joined(*pending_, sample) : sample;
  constexpr double rounding = 1e-9;
  if (pending_->items < enough_items && pending_->length < longest * (1 - rounding))
    return std::nullopt;
  return std::exchange(pending_, std::nullopt);
}

std::optional<Sample> SampleAverager::enough_with(const Sample& latest) {
  return put_together(latest, sampling_.steady_sample * most_samples);
}

bool SampleAverager::add(const Sample& sample) {
  visited_for_ += sample.length;
  const bool over = visited_for_ >= sampling_.longest_visit;
  const auto all = put_together(sample, over ? Seconds{} : sampling_.longest_visit);
  if (all && capacity_of(*all) && (all->items >= enough_items || measurements_.empty())) {
    measurements_.push_back(measured(*all));
    items_ += all->items;
  }
  if (over && all && all->items <= 0)
    measurements_.clear(); // it has stopped, nobody knows when
  return over || (measurements_.size() >= least_measurements && error_of_mean() <= fine_error);
}

std::optional<Measurement> SampleAverager::finish() {
  if (measurements_.empty())
    return std::nullopt;
  Measurement mean = mean_of(measurements_);
  scatter_.add(squared_deviations(measurements_, mean), measurements_.size());
  mean.relative_error = error_of_mean();
  return mean;
}

double SampleAverager::error_of_mean() const {
  return std::hypot(scatter_.deviation() / std::sqrt(static_cast<double>(measurements_.size())),
                    part_of_an_item / items_);
}

Measurement SampleAverager::measured(const Sample& sample) const {
  return {.capacity = capacity_of(sample).value(),
          .power = sample.power,
          .load = load_of(sample),
          .relative_error = std::hypot(scatter_.deviation(), part_of_an_item / sample.items),
          .granted = granted(sample)};
}

double SampleAverager::error_of(const Sample& sample) const {
  return std::hypot(scatter_.deviation() / std::sqrt(sample.length / sampling_.calibration_sample),
                    part_of_an_item / sample.items);
}

} // namespace hypermile::steer
