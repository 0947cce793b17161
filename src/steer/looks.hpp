#pragma once

#include "steer/estimate.hpp"
#include "steer/goal.hpp"
#include "steer/sample.hpp"
#include "steer/watching.hpp"

#include <optional>
#include <vector>

namespace hypermile::steer {

/// Makes measurements of samples: puts together those of too few items, and knows how much single
/// looks at the same configuration deviate.
class Looks {
public:
  explicit Looks(const Watching& watching);

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

  /// What one sample of some items tells, with the error of a single look.
  [[nodiscard]] Measurement measured(const Sample& sample) const;
  /// Relative, of a sample as long as it is.
  [[nodiscard]] double error_of(const Sample& sample) const;
  /// Of single looks, relative.
  [[nodiscard]] double deviation() const { return scatter_.deviation(); }

private:
  std::optional<Sample> put_together(const Sample& sample, Seconds longest);
  [[nodiscard]] double error_of_mean() const;

  Watching watching_;
  Scatter scatter_;
  std::optional<Sample> pending_;  ///< of too few items, to be put together with the next
  std::vector<Measurement> looks_; ///< of this visit
  double items_ = 0;               ///< in them
  Seconds visited_for_{};
};

} // namespace hypermile::steer
