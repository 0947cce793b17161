#include "backend/wattmeter/integration.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>

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
