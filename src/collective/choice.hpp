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

} // namespace hypermile::collective
