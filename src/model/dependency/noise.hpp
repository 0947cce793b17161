#pragma once

#include "model/dependency/dependencies.hpp"

#include <span>
#include <vector>

namespace hypermile::model::dependency {

/// How many times as long as in gear 0 a run takes when iterations vary.
struct Spread {
  double mean = 1;
  double deviation = 0; ///< standard deviation
};

/// How much the iterations of a recorded loop vary, and what that does to a run: a rank that is
/// late makes others wait, so noise costs time wherever there is no slack.
///
/// In each of a few resamples every rank goes through the recorded loop with other computation. By
/// a bootstrap: it differs from what most ranks do at that time as much as in some other, randomly
/// chosen iteration of the rank. The resamples are the same for all gears, so that plans can be
/// compared.
class IterationNoise {
public:
  static constexpr std::size_t usual_resamples = 16;

  /// Keeps a reference to the dependencies. `iterations`: by rank, the first event of each
  /// iteration, ascending, and one after the last event of the last. Throws Error{model} where
  /// they do not ascend, or are not within the timeline.
  IterationNoise(const Dependencies& dependencies, const Timeline& timeline,
                 std::span<const std::vector<std::uint32_t>> iterations, unsigned seed = 1,
                 std::size_t resamples = usual_resamples);

  /// By resample, rank and iteration: how many times as long as recorded the rank computes.
  using Factors = std::vector<std::vector<std::vector<double>>>;
  /// As above, with resamples that are known.
  IterationNoise(const Dependencies& dependencies, const Timeline& timeline,
                 std::span<const std::vector<std::uint32_t>> iterations, const Factors& resamples);

  /// Time of each resample with these scales of the ranks. Passes over the timeline once for each.
  [[nodiscard]] std::vector<Seconds> times(std::span<const double> scales) const;
  [[nodiscard]] std::size_t resamples() const { return resamples_.size(); }
  /// The same against gear 0 with the same noise: what gears do to a run, not what noise does.
  [[nodiscard]] Spread spread(std::span<const double> scales) const;

private:
  using Changes = std::vector<std::vector<ScaleChange>>; ///< by rank, with all ranks in gear 0

  const Dependencies& dependencies_;
  std::vector<Changes> resamples_;
  std::vector<Seconds> in_gear0_; ///< by resample
};

} // namespace hypermile::model::dependency
