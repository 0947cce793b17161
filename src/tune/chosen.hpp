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

/// For one collective, by processes, ascending.
struct Choices {
  const collective::Collective* collective = nullptr;
  std::vector<Chosen> chosen{};
};

/// What is chosen for each number of processes that was calibrated: four sizes for each doubling
/// between the least and the largest that were calibrated. Where nothing is decided, what is the
/// least so far is chosen if it is surely less than what the library takes by itself. Elsewhere,
/// and outside, the library chooses. Hybrids are left out, which no library does by itself.
/// `all_commute`: algorithms that need a commutative operation may be chosen. Throws
/// Error{unsupported} for a calibration in simulation.
[[nodiscard]] Choices choose_all(const collective::Calibration& calibration,
                                 const collective::Aim& aim, bool all_commute);

/// "from 64KiB: pipeline/128KiB", one line each.
[[nodiscard]] std::string print_chosen(const std::vector<Choices>& choices);

/// What is expected of the library in a communicator of so many processes.
struct Expected {
  const collective::Collective* collective = nullptr;
  std::size_t processes = 0;
  std::size_t size_b = 0;
  std::string algorithm{}; ///< empty: the library chooses
};

/// Sizes just before and at each of these changes, which are sizes of the library's rules, as far
/// as they can be tried.
[[nodiscard]] std::vector<std::size_t> sizes_at(const collective::Collective& collective,
                                                collective::RuleSize measure,
                                                const std::vector<std::size_t>& changes,
                                                std::size_t processes);

} // namespace hypermile::tune
