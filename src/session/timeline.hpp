#pragma once

#include "steer/controller.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace hypermile::session {

/// One sample, and what was decided on it.
struct Row {
  Seconds time{};                         ///< of its end, since the begin of steering
  Seconds length{};                       ///< of the sample
  steer::Mode mode = steer::Mode::steady; ///< while it was taken
  std::size_t phase = 0;                  ///< from 0
  std::size_t configuration = 0;          ///< while it was taken
  Rate throughput{};
  std::optional<Rate> arrivals{};
  std::optional<Rate> capacity{};
  double load = 1;
  Watts power{};
  bool keeps_bounds = true; ///< the sample does, as far as it can tell
  std::size_t next = 0;     ///< configuration from now on
  std::string decision{};   ///< why; empty: none was made
};

/// The columns of a timeline, as in docs/steer.md.
std::string csv_header();
std::string csv_line(const Row& row, const steer::Space& space);
/// "  12.0 s  steady       2 cores 2.40 GHz ..." for a terminal.
std::string text_line(const Row& row, const steer::Space& space);
/// "2 cores, 2.40 GHz", with the placement where the space has two.
std::string describe(const steer::Configuration& configuration, const steer::Space& space);

} // namespace hypermile::session
