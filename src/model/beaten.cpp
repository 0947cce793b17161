#include "model/beaten.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace hypermile::model {

/// From the fastest on: what draws no less than one before it is beaten by that.
std::vector<std::optional<std::size_t>> beaten_by(std::span<const SettingCost> settings) {
  std::vector<std::size_t> order(settings.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(
      order, {}, [&](std::size_t i) { return std::tuple(settings[i].time, settings[i].power, i); });
  std::vector<std::optional<std::size_t>> beaten(settings.size());
  std::optional<std::size_t> best; // draws the least so far
  for (const std::size_t i : order)
    if (best && settings[*best].power <= settings[i].power)
      beaten[i] = best;
    else
      best = i;
  return beaten;
}

namespace {

bool surely_beats(const SettingRanges& one, const SettingRanges& other) {
  return one.time <= other.time && one.computing.most < other.computing.least &&
         one.waiting.most < other.waiting.least;
}

} // namespace

/// To beat for sure is transitive, so one that beats a setting, and draws the least at most of all
/// that do, is beaten by none.
std::vector<std::optional<std::size_t>> surely_beaten_by(std::span<const SettingRanges> settings) {
  std::vector<std::optional<std::size_t>> beaten(settings.size());
  for (std::size_t i = 0; i < settings.size(); ++i)
    for (std::size_t j = 0; j < settings.size(); ++j)
      if (surely_beats(settings[j], settings[i]) &&
          (!beaten[i] || settings[j].computing.most < settings[*beaten[i]].computing.most))
        beaten[i] = j;
  return beaten;
}

} // namespace hypermile::model
