#include "backend/wattmeter/integration.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace hypermile::backend::wattmeter {
namespace {

Watts power_at(Seconds time, const Sample& before, const Sample& after) {
  const double share = (time - before.time) / (after.time - before.time);
  return before.power + share * (after.power - before.power);
}

} // namespace

Integral integrate(std::span<const Sample> samples, Seconds from, Seconds to, Seconds longest_gap) {
  if (!(from < to))
    throw Error(ErrorKind::model,
                fmt::format("energy is asked for from {} s to {} s, which is no interval",
                            from.value(), to.value()));
  Integral integral{Joules{}, Seconds{}, to - from};
  for (std::size_t i = 1; i < samples.size(); ++i) {
    const Sample& before = samples[i - 1];
    const Sample& after = samples[i];
    const Seconds begin = std::max(from, before.time);
    const Seconds end = std::min(to, after.time);
    if (!(begin < end) || after.time - before.time > longest_gap)
      continue;
    integral.energy +=
        0.5 * (power_at(begin, before, after) + power_at(end, before, after)) * (end - begin);
    integral.covered += end - begin;
  }
  return integral;
}

std::vector<std::optional<Watts>> mean_power(std::span<const Sample> samples, Seconds from,
                                             Seconds to, Seconds longest_gap, std::size_t parts) {
  if (parts == 0)
    throw Error(ErrorKind::model, "power is asked for in no part of a time");
  constexpr double wholly = 1 - 1e-6; // but for rounding
  const Seconds length = (to - from) / static_cast<double>(parts);
  std::vector<std::optional<Watts>> powers;
  auto first = samples.begin(); // the last one at or before the begin of the part
  for (std::size_t i = 0; i < parts; ++i) {
    const Seconds begin = from + length * static_cast<double>(i);
    const Seconds end = i + 1 == parts ? to : from + length * static_cast<double>(i + 1);
    while (first != samples.end() && std::next(first) != samples.end() &&
           std::next(first)->time <= begin)
      ++first;
    const auto last = std::ranges::lower_bound(first, samples.end(), end, {}, &Sample::time);
    const auto integral =
        integrate({first, last == samples.end() ? last : std::next(last)}, begin, end, longest_gap);
    powers.push_back(integral.coverage() >= wholly ? std::optional(integral.energy / (end - begin))
                                                   : std::nullopt);
  }
  return powers;
}

Seconds longest_gap(std::span<const Sample> samples) {
  constexpr Seconds least{1};
  std::vector<Seconds> distances;
  for (std::size_t i = 1; i < samples.size(); ++i)
    distances.push_back(samples[i].time - samples[i - 1].time);
  if (distances.empty())
    return least;
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::ranges::nth_element(distances, middle);
  return std::max(least, 5.0 * *middle);
}

} // namespace hypermile::backend::wattmeter
