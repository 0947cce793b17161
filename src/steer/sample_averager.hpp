#pragma once

#include "steer/estimate.hpp"
#include "steer/goal.hpp"
#include "steer/sample.hpp"
#include "steer/sampling.hpp"

#include <optional>
#include <vector>

namespace hypermile::steer {

/// Averages samples: joins those of too few items to a measurement, takes the mean over a visit,
/// and knows how much single measurements of the same configuration deviate.
class SampleAverager {
public:
  explicit SampleAverager(const Sampling& sampling);

  /// What comes from now on is of another configuration, or of another visit.
  void begin();

  // A visit:

  /// One more sample. True: the visit may end.
  bool add(const Sample& sample);
  /// The mean of the visit; none: the program did nothing that could be measured.
  std::optional<Measurement> finish();

  // In the steady state:

  /// With the samples before it, if that is enough to tell something.
  std::optional<Sample> enough_with(const Sample& latest);

  /// What one sample of some items tells, with the error of a single measurement.
  [[nodiscard]] Measurement measured(const Sample& sample) const;
  /// Relative, of a sample as long as it is.
  [[nodiscard]] double error_of(const Sample& sample) const;
  /// Of single measurements, relative.
  [[nodiscard]] double deviation() const { return scatter_.deviation(); }

private:
  std::optional<Sample> put_together(const Sample& sample, Seconds longest);
  [[nodiscard]] double error_of_mean() const;

  Sampling sampling_;
  Scatter scatter_;
  std::optional<Sample> pending_;         ///< of too few items, to be put together with the next
  std::vector<Measurement> measurements_; ///< of this visit
  double items_ = 0;                      ///< in them
  Seconds visited_for_{};
};

} // namespace hypermile::steer
