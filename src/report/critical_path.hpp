#pragma once

#include "model/dependency/dependencies.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace hypermile::report {

/// The chain of computation and messages that a time consists of, in so few numbers that a page can
/// show it: which rank it is on, and who waits for whom on it.
struct CriticalPathPicture {
  struct OfRank {
    std::size_t rank = 0;
    Seconds computing; ///< on the path
    Seconds inside;    ///< on the path: messages and calls
  };
  /// The path came to `rank` from another one, which it had waited for.
  struct Wait {
    std::size_t rank = 0;
    std::size_t waits_for = 0;
    std::size_t times = 0;
  };
  Seconds time; ///< of the path
  Seconds computing;
  Seconds inside;
  std::size_t handovers = 0;          ///< from one rank to another
  std::vector<OfRank> ranks;          ///< the longest first; at most 16
  std::vector<Wait> waits;            ///< the most frequent first; at most 16
  std::vector<std::size_t> by_column; ///< the rank that the path is on for most of that time

  static constexpr std::size_t most_listed = 16;
};

/// With these scales, by rank. The columns share the time from `begin` to `begin + length`, which
/// is more than 0.
[[nodiscard]] CriticalPathPicture
critical_path_picture(const model::dependency::Dependencies& dependencies,
                      std::span<const double> scales, Seconds begin, Seconds length,
                      std::size_t columns);

[[nodiscard]] nlohmann::ordered_json critical_path_json(const CriticalPathPicture& path);

} // namespace hypermile::report
