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
  /// A lower bound of the probability that it is the least in more than half of all passes that
  /// there might be, and that the bound on time holds in them.
  double probability = 0;
  /// Why nothing should be changed, for a user; empty: the choice is sure enough.
  std::string undecided{};
};

/// The least of the estimates, which are at least one. A pass has one winner. A variant that is the
/// least in no more than half of all passes wins all but m of n with a probability of at most
/// b = P(at most m of n coins show heads); all such variants together, of which one is chosen after
/// looking, with at most 2 b: their probabilities to win a pass sum up to 1, and b is convex in
/// them. That holds for any number of variants and whatever the distribution of their times. To it
/// comes the probability that the misfit of the model, normally distributed, makes a difference.
/// Throws Error{model} where energy is asked for and no power is known.
[[nodiscard]] Choice choose(std::span<const Estimate> estimates, const Aim& aim);

} // namespace hypermile::collective
