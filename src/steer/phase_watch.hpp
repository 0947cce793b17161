#pragma once

#include "steer/goal.hpp"

#include <cstddef>
#include <optional>

namespace hypermile::steer {

/// How far apart two positive figures are, whichever is larger.
double log_ratio(double a, double b);

/// Sees from what a program does in one configuration whether it is in another phase. Arrivals
/// cannot tell: capacity does not depend on them. Power does, so it is compared where the load is
/// as it was. Other programs on the same cores are no phase: capacity is what there would be
/// without them.
class PhaseWatch {
public:
  /// `change`: the share by which a capacity or power changes in another phase.
  explicit PhaseWatch(double change) : change_(change) {}

  /// From now on it is compared with this; none: with what is seen next.
  void compare_with(const std::optional<Measurement>& reference);

  /// `error`: relative, of what is seen. True: it has been seen often enough in a row.
  bool is_another(const Measurement& seen, double error);
  /// The last that was seen looked like another phase.
  [[nodiscard]] bool doubts() const { return unlike_ > 0; }

private:
  double change_;
  std::optional<Measurement> reference_;
  std::size_t unlike_ = 0; ///< measurements in a row that look like another phase
};

} // namespace hypermile::steer
