#pragma once

#include "model/timeline.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>

namespace hypermile::model::dependency {

/// Messages that a rank takes from whoever comes first.
struct FromAny {
  std::uint64_t communicator;
  Action action; ///< receive, or probe
  auto operator<=>(const FromAny&) const = default;
};

using CountBySender = std::map<std::int32_t, std::size_t>;

/// Those that the rank has taken, by who sent them.
[[nodiscard]] std::map<FromAny, CountBySender> taken_from_any(const RankTimeline& rank);

/// Whether some senders are heard more often than others. Fewer than `enough_to_tell` of each tell
/// nothing.
[[nodiscard]] bool assign_work(const CountBySender& messages);
inline constexpr std::size_t enough_to_tell = 8;

/// Of any sender.
[[nodiscard]] std::size_t most(const CountBySender& messages);

/// Whether this rank hands out work while the program runs: it takes messages from whoever comes
/// first, and from some senders more often than from others, as a master does whose workers differ
/// in speed. Then other gears would change who does what, which no recording tells.
[[nodiscard]] bool assigns_work(const RankTimeline& rank);

} // namespace hypermile::model::dependency
