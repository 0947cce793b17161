#pragma once

#include "collective/choice.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hypermile::tune {

/// From this size on.
struct ChosenFrom {
  std::size_t size_b = 0;
  std::optional<collective::Variant> variant{}; ///< none: what the library takes by itself
};

/// For communicators of this many processes: from size 0 on, ascending.
struct Chosen {
  std::size_t processes = 0;
  std::vector<ChosenFrom> from{};
};

/// What is chosen for each number of processes that was calibrated, ascending: four sizes for each
/// doubling between the least and the largest that were calibrated. Outside, and where nothing is
/// decided, the library chooses. Hybrids are left out, which no library does by itself. Throws
/// Error{unsupported} for a calibration in simulation.
[[nodiscard]] std::vector<Chosen> choose_all(const collective::Calibration& calibration,
                                             const collective::Aim& aim);

/// "from 64KiB: pipeline/128KiB", one line each.
[[nodiscard]] std::string print_chosen(const std::vector<Chosen>& chosen);

/// What is expected of the library in a communicator of so many processes.
struct Expected {
  std::size_t processes = 0;
  std::size_t size_b = 0;
  std::string algorithm{}; ///< empty: the library chooses
};

} // namespace hypermile::tune
