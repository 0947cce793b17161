#pragma once

#include "runtime/exchange/messages.hpp"

#include <optional>
#include <vector>

namespace hypermile::runtime {

/// What one iteration takes in gear 0, kept apart from all that is measured later: once gears
/// have been set, ranks wait in ways that only these gears cause.
///
/// What is kept is each rank's communication time per MPI call. The computation is not: the mean
/// over all iterations, which every measurement has, is a better figure than that of the few
/// first ones, and calls are what iterations of an inner and of an outer loop have in common.
class Gear0Reference {
public:
  [[nodiscard]] bool known() const { return !communication_per_call_.empty(); }
  void forget() { communication_per_call_.clear(); }
  /// Takes the measurements, one per rank, of a program all of which ran in gear 0.
  void learn(const std::vector<Measurement>& measurements);

  /// Time and energy (by the power tables) of the measured iteration, had it run in gear 0.
  /// None before learn().
  [[nodiscard]] std::optional<model::Baseline>
  baseline(const std::vector<Measurement>& measurements) const;

private:
  std::vector<Seconds> communication_per_call_; ///< by rank
};

/// T_old / T - E / E_old of the measured iterations, of which one took so many times as long as it
/// would have in gear 0; energy by the power tables.
double measured_distance(const std::vector<Measurement>& measurements, double time_ratio);

} // namespace hypermile::runtime
