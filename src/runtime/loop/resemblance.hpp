#pragma once

#include "runtime/loop/call_window.hpp"

#include <span>
#include <vector>

namespace hypermile::runtime {

/// How much the iterations of what may be a loop are alike, each compared with the one before.
struct Resemblance {
  double presence = 0; ///< share of an iteration that is in the one before, too
  double order = 0;    ///< share of what is in both that comes for the first time in the same order
  double disorder = 0; ///< how many of these do not, per iteration
};

/// Compares iterations by the different calls (or places) that are in them, however often these
/// are repeated. Linear in the number of calls.
class IterationComparison {
public:
  /// An iteration lies between neighbours of `boundaries`, which are its last calls. `places`: what
  /// stands for each symbol; empty: itself.
  Resemblance operator()(const CallWindow& window, std::span<const std::size_t> boundaries,
                         std::span<const Symbol> places);

  /// Whether some calls are in each iteration of the outer loop, but in few of the inner one.
  bool has_own_calls(const CallWindow& window, std::span<const std::size_t> outer,
                     std::span<const std::size_t> inner);

private:
  struct Presence {
    std::uint32_t outer = 0; ///< the last iteration it was in, from 1 on
    std::uint32_t inner = 0;
    std::uint32_t outer_count = 0; ///< iterations it was in
    std::uint32_t inner_count = 0;
  };
  struct Seen {
    std::uint32_t iteration = 0; ///< the last one it was in, from 1 on
    std::uint32_t rank = 0;      ///< among the different ones of that
    bool before = false;         ///< in the one before that, too
  };
  struct Count {
    double calls = 0, common_calls = 0;
    double different = 0, common = 0;
    double ascending = 0;
  };
  Count compare(std::span<const Symbol> iteration, std::span<const Symbol> places,
                std::uint32_t number);

  std::vector<Seen> seen_; ///< by symbol
  std::vector<Presence> presences_;
};

} // namespace hypermile::runtime
