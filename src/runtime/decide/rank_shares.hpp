#pragma once

#include "runtime/exchange/messages.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace hypermile::runtime {

/// How long each rank computes in an iteration, told from few and noisy iterations.
///
/// A rank that was late once and a rank that has more to do look alike at first, and the longest of
/// many noisy samples is noise. So what a rank has more or less to do than its node's speed lets
/// expect is taken to be small, and alike on nodes of one type, until several iterations say
/// otherwise; single late iterations count little.
struct RankShares {
  /// By rank, s: one iteration in gear 0, as it is to be expected.
  std::vector<double> computation;
  /// By rank: standard deviation of the logarithm of that.
  std::vector<double> deviation;
  /// By rank: logarithm of what the latest iteration took against that, where this is unlike the
  /// others; else 0. Once in a while an iteration is late, but a rank may also have got more to do,
  /// or less, for long: the latest iteration does not tell which.
  std::vector<double> latest;
  /// Of one iteration about that: scale of its logarithm, which is as Student's t with `freedom`.
  double noise = 0;
  static constexpr double freedom = 4;
  /// By how much logarithms of single iterations were off, of all ranks: what happens once in a
  /// hundred of them is no part of `noise`, but with many ranks it happens in every one. Empty
  /// where one iteration is all there is.
  std::vector<double> leftovers;

  /// By how much the logarithm of an iteration is off.
  struct Deviation {
    double off = 0;
    bool late = false; ///< it was seen, and `noise` does not explain it
  };
  /// As one of those seen was, or, the more the fewer were seen, as `noise` lets expect.
  [[nodiscard]] Deviation draw(std::mt19937& engine) const;
  /// Variance of that.
  [[nodiscard]] double variance() const;
};

/// What some ranks computed, stretch by stretch, in gear 0.
struct Stretches {
  std::vector<double> speed;                ///< by rank: of its node's cores, in any unit
  std::vector<std::size_t> type;            ///< by rank: the same number for nodes of one type
  std::vector<std::vector<double>> seconds; ///< by rank and stretch; as many stretches on each
};

/// Speeds and types of the nodes of ranks, in whatever message they are told; no stretches yet.
template <class OfRank> Stretches ranks_of(const std::vector<OfRank>& all) {
  Stretches stretches;
  std::vector<std::string> types;
  for (const OfRank& of_rank : all) {
    const model::NodeType& node = of_rank.node.type;
    const auto type = std::ranges::find(types, node.name);
    stretches.speed.push_back(node.speed.value());
    stretches.type.push_back(static_cast<std::size_t>(type - types.begin()));
    if (type == types.end())
      types.push_back(node.name);
  }
  return stretches;
}

/// Robust empirical Bayes. None without a stretch, or where a rank computes nothing in one.
[[nodiscard]] std::optional<RankShares> estimate_shares(const Stretches& stretches);

/// Of the last iterations that all ranks told of.
[[nodiscard]] std::optional<RankShares>
estimate_shares(const std::vector<Measurement>& measurements);

} // namespace hypermile::runtime
