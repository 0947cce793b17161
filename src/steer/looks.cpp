#include "steer/looks.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hypermile::steer {
namespace {

constexpr double fine_error = 0.02; ///< a visit may end
constexpr std::size_t least_looks = 2;
/// Fewer are no measure of how fast a program is: samples are put together until there are so many.
constexpr double enough_items = 10;
/// By so much of an item a count deviates, as some are half finished at its begin and its end.
constexpr double part_of_an_item = 0.4;
/// What a program does that is steady is looked at after so many samples, however little it is.
constexpr double most_samples = 10;
/// Single looks are taken to deviate by this, as if two had been seen, until more is known.
constexpr double first_deviation = 0.03;
constexpr double first_weight = 2;

/// The mean of looks at one configuration, without its error.
Measurement mean_of(const std::vector<Measurement>& looks) {
  const auto count = static_cast<double>(looks.size());
  Measurement mean{};
  mean.load = 0;
  mean.granted = 0;
  for (const Measurement& look : looks) {
    mean.capacity += look.capacity / count;
    mean.power += look.power / count;
    mean.load += look.load / count;
    mean.granted += look.granted / count;
  }
  return mean;
}

double squared_deviations(const std::vector<Measurement>& looks, const Measurement& mean) {
  double capacity = 0;
  double power = 0;
  for (const Measurement& look : looks) {
    capacity += std::pow(look.capacity / mean.capacity - 1, 2);
    power += std::pow(look.power / mean.power - 1, 2);
  }
  return std::max(capacity, power);
}

} // namespace

Looks::Looks(const Watching& watching)
    : watching_(watching), scatter_(first_deviation, first_weight) {}

void Looks::begin() {
  pending_.reset();
  looks_.clear();
  items_ = 0;
  visited_for_ = Seconds{};
}

std::optional<Sample> Looks::put_together(const Sample& sample, Seconds longest) {
  pending_ = pending_ ? joined(*pending_, sample) : sample;
  constexpr double rounding = 1e-9;
  if (pending_->items < enough_items && pending_->length < longest * (1 - rounding))
    return std::nullopt;
  return std::exchange(pending_, std::nullopt);
}

std::optional<Sample> Looks::enough_with(const Sample& latest) {
  return put_together(latest, watching_.steady_sample * most_samples);
}

bool Looks::add(const Sample& sample) {
  visited_for_ += sample.length;
  const bool over = visited_for_ >= watching_.longest_visit;
  const auto all = put_together(sample, over ? Seconds{} : watching_.longest_visit);
  if (all && capacity_of(*all) && (all->items >= enough_items || looks_.empty())) {
    looks_.push_back(measured(*all));
    items_ += all->items;
  }
  if (over && all && all->items <= 0)
    looks_.clear(); // it has stopped, nobody knows when
  return over || (looks_.size() >= least_looks && error_of_mean() <= fine_error);
}

std::optional<Measurement> Looks::finish() {
  if (looks_.empty())
    return std::nullopt;
  Measurement mean = mean_of(looks_);
  scatter_.add(squared_deviations(looks_, mean), looks_.size());
  mean.relative_error = error_of_mean();
  return mean;
}

double Looks::error_of_mean() const {
  return std::hypot(scatter_.deviation() / std::sqrt(static_cast<double>(looks_.size())),
                    part_of_an_item / items_);
}

Measurement Looks::measured(const Sample& sample) const {
  return {.capacity = capacity_of(sample).value(),
          .power = sample.power,
          .load = load_of(sample),
          .relative_error = std::hypot(scatter_.deviation(), part_of_an_item / sample.items),
          .granted = granted(sample)};
}

double Looks::error_of(const Sample& sample) const {
  return std::hypot(scatter_.deviation() / std::sqrt(sample.length / watching_.calibration_sample),
                    part_of_an_item / sample.items);
}

} // namespace hypermile::steer
