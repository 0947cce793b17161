#pragma once

#include "collective/model.hpp"

#include <optional>
#include <span>
#include <string>

namespace hypermile::collective {

/// What is to be least.
struct Aim {
  enum class Least { energy, time };
  Least least = Least::energy;
  /// With Least::energy: how much longer than the fastest it may take, 0.05 for 5 %. None: as long
  /// as it likes.
  std::optional<double> slowdown{};
  double confidence = 0.95; ///< the probability from which on a choice is taken
};

/// Which variant is least, and how sure that is.
struct Choice {
  std::size_t index = 0; ///< of the estimates
  /// A lower bound of the probability that no other is less, and that the bound on time holds.
  double probability = 0;
  /// Why nothing should be changed, for a user; empty: the choice is sure enough.
  std::string undecided{};
};

/// The least of the estimates, which are at least one. Differences are compared pass by pass, by
/// Student's t distribution; the probabilities that one of the others is less add up (Boole's
/// inequality). Throws Error{model} where energy is asked for and no power is known.
[[nodiscard]] Choice choose(std::span<const Estimate> estimates, const Aim& aim);

/// What a library's own choice costs against a variant, as both were measured: 0.1 for 10 % more.
struct Gain {
  double time = 0;
  std::optional<double> energy{}; ///< none: no power is known
};

/// Of the median of the passes that both have, in which what slows down both does not count. None
/// where one of them was not measured at this size with so many processes.
[[nodiscard]] std::optional<Gain> gain_over_library(const Calibration& calibration,
                                                    std::size_t nodes,
                                                    std::size_t processes_per_node,
                                                    std::size_t size_b, const Variant& variant);

} // namespace hypermile::collective
