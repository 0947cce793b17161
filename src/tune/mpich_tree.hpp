#pragma once

#include "tune/chosen.hpp"

#include "collective/registry.hpp"

#include <string>
#include <string_view>
#include <vector>

/// Selection trees of MPICH 4.0 (MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE). Such a file replaces
/// all rules of the library, hence it is the library's own tree with one part changed.
namespace hypermile::tune {

/// The library's own tree, from our program for MPICH in this folder. Throws Error{unsupported}
/// where there is none.
[[nodiscard]] std::string mpich_own_tree(const std::string& program_folder);

/// `own` with what was chosen for several collectives; for other numbers of processes, and where
/// nothing was chosen, as the library has it. An algorithm that is not for all operations, or for
/// data in place, is under the conditions that it has in `own`. Throws Error{unsupported} where the
/// library's tree is built in another way.
[[nodiscard]] std::string mpich_tree(const std::vector<Choices>& all, const std::string& own);

/// What the library does by the tree in a file: before and after each change, for 2 to `most`
/// processes, in the collectives in which it differs from `own`; in all if it differs in none.
/// Throws Error{config} with the place for what makes MPICH crash or change other operations: no
/// JSON, collectives of `own` that are missing, a level whose last condition is not "any",
/// algorithms that there are not, a measure of size that there is not.
[[nodiscard]] std::vector<Expected> expected_of_tree(std::string_view text, const std::string& file,
                                                     const std::string& own, std::size_t most);

} // namespace hypermile::tune
