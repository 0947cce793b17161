#pragma once

#include <cstddef>
#include <optional>

namespace hypermile::runtime {

/// When gears are chosen again for the same loop. Neither: whenever it has been repeated half as
/// often again.
struct Repetition {
  std::optional<std::size_t> every; ///< so many iterations
  bool adaptive = false;            ///< also when a rank's iterations have changed

  /// Whether earlier iterations may say little about the next.
  [[nodiscard]] bool follows_changes() const { return every.has_value() || adaptive; }
};

} // namespace hypermile::runtime
