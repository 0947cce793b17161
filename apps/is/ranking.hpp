#pragma once

#include "common/session.hpp"
#include "is/keys.hpp"

#include <array>
#include <optional>

namespace apps::is {

/// Ranks the keys of all ranks: the keys go to the ranks that own their buckets, and are counted
/// there. This rank has the keys at some of the places.
class Ranking {
public:
  Ranking(const Problem& problem, const Session& session);

  void restart();
  void iterate(int iteration);

  /// How many of the published ranks this rank saw, and how many of these were wrong.
  struct Checks {
    int seen = 0;
    int wrong = 0;
  };
  [[nodiscard]] Checks checks() const { return checks_; }

  /// After the last iteration: how many keys are out of order when all are put where their
  /// ranks say, over all ranks.
  [[nodiscard]] int out_of_order() const;
  /// After the last iteration: whether the keys that were ranked are those that there were, as
  /// far as their number and sum say, over all ranks.
  [[nodiscard]] bool kept_all() const;

private:
  using KnownKeys = std::array<std::int32_t, 5>;

  [[nodiscard]] KnownKeys known_keys() const;
  void gather(const Buckets& buckets, const std::vector<std::size_t>& begins);
  void check(int iteration, std::span<const std::int32_t> known, std::int64_t smaller_elsewhere);

  const Problem& problem_;
  std::size_t rank_;
  std::size_t ranks_;
  Range places_;
  Keys keys_;
  Keys owned_; ///< the keys of this rank's buckets
  std::optional<KeyCounts> counts_;
  Checks checks_;
};

} // namespace apps::is
