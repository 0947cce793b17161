#pragma once

#include "tune/chosen.hpp"

#include "collective/registry.hpp"

#include <string>
#include <string_view>
#include <vector>

/// Files of dynamic rules of Open MPI 4.1 (coll_tuned_dynamic_rules_filename). What the library
/// does with them was found by experiment, see docs/collectives.md.
namespace hypermile::tune {

/// Messages from this size on.
struct OpenmpiRule {
  std::size_t size_b = 0; ///< as the library's rules measure it
  int algorithm = 0;      ///< 0: the library chooses
  int fanout = 0;
  std::size_t segment_b = 0;
};

/// Communicators of this many processes and more, up to the next block.
struct OpenmpiBlock {
  std::size_t processes = 0;
  std::vector<OpenmpiRule> rules{};
};

/// The rules of one collective.
struct OpenmpiRules {
  const collective::Collective* collective = nullptr;
  std::vector<OpenmpiBlock> blocks{};
};

/// Blocks for the chosen numbers of processes; for all others, the library chooses.
[[nodiscard]] OpenmpiRules openmpi_rules(const Choices& choices);

/// A file with the rules of several collectives.
[[nodiscard]] std::string openmpi_rules_text(const std::vector<OpenmpiRules>& all);

/// Reads such a file; collectives that hypermile does not know are left out. Throws Error{config}
/// with file and line for what the library ignores in silence, aborts at, or takes otherwise than
/// it looks: numbers that are missing or none, blocks or sizes that do not ascend, blocks without
/// one from 0 processes on (the first block counts for smaller communicators, too), sizes that do
/// not begin with 0, algorithms that there are not, or not with so many processes, text after the
/// last rule; and where no collective that hypermile knows is there.
[[nodiscard]] std::vector<OpenmpiRules> parse_openmpi_rules(std::string_view text,
                                                            const std::string& file);

/// What the library does by these rules: before and after each change, in each block, for
/// communicators of 2 to `most` processes.
[[nodiscard]] std::vector<Expected> expected_of(const OpenmpiRules& rules, std::size_t most);

} // namespace hypermile::tune
