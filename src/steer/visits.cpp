#include "steer/visits.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hypermile::steer {
namespace {

/// The mean of `times` measurements and one more. They are equally good as far as anybody knows.
Measurement mean_of(const Measurement& before, double times, const Measurement& one) {
  const double all = times + 1;
  const auto mean = [&](auto first, auto second) { return (first * times + second) / all; };
  return {.capacity = mean(before.capacity, one.capacity),
          .power = mean(before.power, one.power),
          .load = (before.load * times + one.load) / all,
          .relative_error = std::hypot(before.relative_error * times, one.relative_error) / all,
          .granted = (before.granted * times + one.granted) / all};
}

} // namespace

void Visits::add(std::size_t configuration, const Measurement& measured) {
  const auto known = std::ranges::find(visits_, configuration, &Visit::configuration);
  if (known == visits_.end()) {
    visits_.push_back({configuration, measured});
    return;
  }
  known->mean = mean_of(known->mean, static_cast<double>(known->times), measured);
  ++known->times;
}

void Visits::replace(std::size_t configuration, const Measurement& measured) {
  std::erase_if(visits_, [&](const Visit& visit) { return visit.configuration == configuration; });
  visits_.push_back({configuration, measured});
}

const Visit* Visits::find(std::size_t configuration) const {
  const auto known = std::ranges::find(visits_, configuration, &Visit::configuration);
  return known == visits_.end() ? nullptr : &*known;
}

std::optional<Performance> seen_of(const Visits& visits, std::size_t configuration) {
  const Visit* visit = visits.find(configuration);
  if (visit == nullptr)
    return std::nullopt;
  return Performance{visit->mean.capacity, visit->mean.power};
}

Pick best_visited(const Visits& visits, const Goal& goal) {
  const auto rank = [&](const Visit& visit) {
    const Performance seen{visit.mean.capacity, visit.mean.power};
    const double missed = std::max(excess(goal, seen), 0.0);
    return std::pair(-missed, worth(goal, seen));
  };
  const auto& best = *std::ranges::max_element(visits.all(), {}, rank);
  return {best.configuration, excess(goal, {best.mean.capacity, best.mean.power}) <= 0};
}

} // namespace hypermile::steer
