#pragma once

#include "collective/registry.hpp"
#include "control/spawn.hpp"
#include "tune/chosen.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace hypermile::cli {

/// The text of a file of rules. Throws Error{config} where there is none.
[[nodiscard]] std::string rules_in(const std::string& file);

/// What the library does by this text, for 2 to `most` processes. Throws Error{config} for what the
/// library ignores in silence, takes otherwise than it looks, or crashes on.
[[nodiscard]] std::vector<tune::Expected> intended_by(const std::string& text,
                                                      const std::string& file,
                                                      collective::Library library,
                                                      std::size_t most);

/// Rules for a job.
struct RulesInForce {
  std::string file;             ///< absolute
  control::Variables variables; ///< by which its MPI library reads the file
};

/// Checks the file, for the MPI of this name, or that of the launcher. Throws Error{config} as
/// intended_by(); where it cannot be told which MPI it is; and where the environment or an option
/// of the launcher gives one of the variables another value.
[[nodiscard]] RulesInForce put_in_force(const std::string& file, const std::string& mpi,
                                        const std::vector<std::string>& command);

} // namespace hypermile::cli
