#include "model/dependency/noise.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace hypermile::model::dependency {
namespace {

/// The iterations of a rank.
struct Iterations {
  std::vector<double> begins;      ///< s, ascending; and the end of the last
  std::vector<double> computation; ///< s in gear 0, of each

  /// The one that is under way, or the nearest.
  [[nodiscard]] std::size_t at(double time) const {
    const auto next = std::ranges::upper_bound(begins, time);
    const auto index = std::max<std::ptrdiff_t>(next - begins.begin(), 1) - 1;
    return std::min(static_cast<std::size_t>(index), computation.size() - 1);
  }
};

Iterations iterations_of(const RankTimeline& rank, const std::vector<std::uint32_t>& firsts) {
  Iterations result;
  RankClock clock(rank);
  double now = rank.begin.value();
  std::uint32_t e = 0;
  const auto go_to = [&](std::uint32_t end) {
    double computed = 0;
    for (; e < end; ++e) {
      computed += static_cast<double>(rank.events[e].computation) / scale_before(rank, e);
      now = clock.next().left.value();
    }
    return computed;
  };
  for (std::size_t i = 0; i < firsts.size(); ++i) {
    const double computed = go_to(firsts[i]);
    if (i > 0)
      result.computation.push_back(computed);
    result.begins.push_back(now);
  }
  return result;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) /
         static_cast<double>(std::max<std::size_t>(1, values.size()));
}

/// With fewer ranks it cannot be told what they have in common.
constexpr std::size_t least_ranks = 3;

/// How long most ranks compute in the iteration under way at this time, relative to their means.
double in_common(const std::vector<Iterations>& ranks, const std::vector<double>& means,
                 double time) {
  std::vector<double> relative;
  for (std::size_t r = 0; r < ranks.size(); ++r)
    if (means[r] > 0)
      relative.push_back(ranks[r].computation[ranks[r].at(time)] / means[r]);
  if (relative.size() < least_ranks)
    return 1;
  const auto middle = relative.begin() + static_cast<std::ptrdiff_t>(relative.size() / 2);
  std::ranges::nth_element(relative, middle);
  return *middle > 0 ? *middle : 1;
}

/// What is longer on most ranks at the same time is so because of what the program does there:
/// noise is by how much a rank differs from that.
std::vector<std::vector<double>> noise_of(const std::vector<Iterations>& ranks) {
  std::vector<double> means;
  for (const Iterations& rank : ranks)
    means.push_back(mean(rank.computation));
  std::vector<std::vector<double>> noise;
  for (const Iterations& rank : ranks) {
    noise.push_back(rank.computation);
    for (std::size_t i = 0; i < rank.computation.size(); ++i)
      noise.back()[i] /= in_common(ranks, means, 0.5 * (rank.begins[i] + rank.begins[i + 1]));
  }
  return noise;
}

/// Each iteration as long as some iteration.
std::vector<double> resample(const std::vector<double>& computation, std::mt19937& engine) {
  std::vector<double> factors;
  for (const double own : computation) {
    const double other = computation[engine() % computation.size()];
    factors.push_back(own > 0 ? other / own : 1);
  }
  return factors;
}

/// Gear 0 before the first iteration and after the last.
std::vector<ScaleChange> changes_by(const std::vector<double>& factors,
                                    const std::vector<std::uint32_t>& iterations) {
  std::vector<ScaleChange> changes{{.event = 0, .scale = 1}};
  for (std::size_t i = 0; i < factors.size(); ++i)
    changes.push_back({.event = iterations[i], .scale = 1, .work = factors[i]});
  if (!iterations.empty())
    changes.push_back({.event = iterations.back(), .scale = 1});
  return changes;
}

IterationNoise::Factors bootstrap(const Timeline& timeline,
                                  std::span<const std::vector<std::uint32_t>> iterations,
                                  unsigned seed, std::size_t resamples) {
  std::vector<Iterations> ranks;
  for (std::size_t r = 0; r < iterations.size(); ++r)
    ranks.push_back(iterations_of(timeline.ranks[r], iterations[r]));
  const auto noise = noise_of(ranks);
  std::mt19937 engine(seed);
  IterationNoise::Factors factors(resamples);
  for (auto& of_ranks : factors)
    for (const auto& rank : noise)
      of_ranks.push_back(resample(rank, engine));
  return factors;
}

void check(const Timeline& timeline, std::span<const std::vector<std::uint32_t>> iterations) {
  const std::string advice = "by rank, the first event of each iteration and one after the last";
  if (iterations.size() != timeline.ranks.size())
    throw Error(ErrorKind::model,
                fmt::format("iterations of {} ranks for a timeline of {}", iterations.size(),
                            timeline.ranks.size()),
                advice);
  for (std::size_t r = 0; r < iterations.size(); ++r)
    if (!std::ranges::is_sorted(iterations[r]) ||
        (!iterations[r].empty() && iterations[r].back() > timeline.ranks[r].events.size()))
      throw Error(ErrorKind::model, fmt::format("rank {}: iterations out of order", r), advice);
}

/// The same iterations, known to be in order.
std::span<const std::vector<std::uint32_t>>
checked(const Timeline& timeline, std::span<const std::vector<std::uint32_t>> iterations) {
  check(timeline, iterations);
  return iterations;
}

} // namespace

IterationNoise::IterationNoise(const Dependencies& dependencies, const Timeline& timeline,
                               std::span<const std::vector<std::uint32_t>> iterations,
                               unsigned seed, std::size_t resamples)
    : IterationNoise(dependencies, timeline, iterations,
                     bootstrap(timeline, checked(timeline, iterations), seed, resamples)) {}

IterationNoise::IterationNoise(const Dependencies& dependencies, const Timeline& timeline,
                               std::span<const std::vector<std::uint32_t>> iterations,
                               const Factors& resamples)
    : dependencies_(dependencies) {
  check(timeline, iterations);
  for (const auto& of_ranks : resamples) {
    Changes changes;
    for (std::size_t r = 0; r < iterations.size(); ++r)
      changes.push_back(changes_by(of_ranks[r], iterations[r]));
    resamples_.push_back(std::move(changes));
  }
  in_gear0_ = times(std::vector<double>(iterations.size(), 1));
}

std::vector<Seconds> IterationNoise::times(std::span<const double> scales) const {
  std::vector<Seconds> times;
  for (Changes changes : resamples_) {
    for (std::size_t r = 0; r < changes.size(); ++r)
      for (ScaleChange& change : changes[r])
        change.scale = scales[r];
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
