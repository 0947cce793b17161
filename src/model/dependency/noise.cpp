#include "model/dependency/noise.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace hypermile::model::dependency {
namespace {

/// Computation of the rank in each of its iterations.
std::vector<double> computation_of(const RankTimeline& rank,
                                   const std::vector<std::uint32_t>& iterations) {
  std::vector<double> sums;
  for (std::size_t i = 0; i + 1 < iterations.size(); ++i) {
    double sum = 0;
    for (std::uint32_t e = iterations[i]; e < iterations[i + 1]; ++e)
      sum += static_cast<double>(rank.events[e].computation);
    sums.push_back(sum);
  }
  return sums;
}

/// Each iteration as long as some iteration; gear 0 before the first and after the last.
std::vector<ScaleChange> resample(const std::vector<std::uint32_t>& iterations,
                                  const std::vector<double>& computation, std::mt19937& engine) {
  std::vector<ScaleChange> changes{{.event = 0, .scale = 1}};
  for (std::size_t i = 0; i < computation.size(); ++i) {
    const double other = computation[engine() % computation.size()];
    changes.push_back(
        {.event = iterations[i], .scale = computation[i] > 0 ? other / computation[i] : 1});
  }
  if (!iterations.empty())
    changes.push_back({.event = iterations.back(), .scale = 1});
  return changes;
}

} // namespace

IterationNoise::IterationNoise(const Dependencies& dependencies, const Timeline& timeline,
                               std::span<const std::vector<std::uint32_t>> iterations,
                               unsigned seed, std::size_t resamples)
    : dependencies_(dependencies), iterations_(iterations.begin(), iterations.end()) {
  check(timeline);
  std::vector<std::vector<double>> computation;
  for (std::size_t r = 0; r < iterations_.size(); ++r)
    computation.push_back(computation_of(timeline.ranks[r], iterations_[r]));
  std::mt19937 engine(seed);
  for (std::size_t i = 0; i < resamples; ++i) {
    Changes changes;
    for (std::size_t r = 0; r < iterations_.size(); ++r)
      changes.push_back(resample(iterations_[r], computation[r], engine));
    resamples_.push_back(std::move(changes));
  }
  in_gear0_ = times(std::vector<double>(iterations_.size(), 1));
}

void IterationNoise::check(const Timeline& timeline) const {
  const std::string advice = "by rank, the first event of each iteration and one after the last";
  if (iterations_.size() != timeline.ranks.size())
    throw Error(ErrorKind::model,
                fmt::format("iterations of {} ranks for a timeline of {}", iterations_.size(),
                            timeline.ranks.size()),
                advice);
  for (std::size_t r = 0; r < iterations_.size(); ++r)
    if (!std::ranges::is_sorted(iterations_[r]) ||
        (!iterations_[r].empty() && iterations_[r].back() > timeline.ranks[r].events.size()))
      throw Error(ErrorKind::model, fmt::format("rank {}: iterations out of order", r), advice);
}

std::vector<Seconds> IterationNoise::times(std::span<const double> scales) const {
  std::vector<Seconds> times;
  for (Changes changes : resamples_) {
    for (std::size_t r = 0; r < changes.size(); ++r)
      for (ScaleChange& change : changes[r])
        change.scale *= scales[r];
    times.push_back(dependencies_.staged(changes).time);
  }
  return times;
}

Spread IterationNoise::spread(std::span<const double> scales) const {
  const std::vector<Seconds> taken = times(scales);
  double sum = 0;
  double squares = 0;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    const double ratio = taken[i] / in_gear0_[i];
    sum += ratio;
    squares += ratio * ratio;
  }
  const auto n = static_cast<double>(taken.size());
  const double mean = sum / n;
  const double variance = n > 1 ? std::max(0.0, (squares - n * mean * mean) / (n - 1)) : 0;
  return {mean, std::sqrt(variance)};
}

} // namespace hypermile::model::dependency
