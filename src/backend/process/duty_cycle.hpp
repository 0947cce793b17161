#pragma once

#include "units/quantity.hpp"

namespace hypermile::backend::process {

/// When a program that shall be S times slower runs, and when it pauses: periods of 20 ms, of which
/// it runs 1/S. What one of them is too long, because whoever stops the program came late, the
/// next ones make up for.
class DutyCycle {
public:
  static constexpr Seconds period{20e-3};

  /// `scale`: S >= 1. It runs from now on.
  void start(double scale, Seconds now);
  /// The phase is over, as switch_at() said.
  void switch_phase(Seconds now);

  [[nodiscard]] bool pauses() const { return pauses_; }
  /// Whether it ever pauses.
  [[nodiscard]] bool slows() const { return scale_ > 1; }
  [[nodiscard]] Seconds switch_at() const { return switch_at_; }

private:
  double scale_ = 1;
  bool pauses_ = false;
  Seconds begin_; ///< of this phase
  Seconds switch_at_;
  Seconds owed_; ///< pauses that were too short; negative: too long
};

} // namespace hypermile::backend::process
