#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hypermile::architecture {

using Names = std::vector<std::string_view>;

/// What each folder of src/ may include besides itself. A folder without a row may not exist.
const std::map<std::string_view, Names>& arrows();
/// Folders that know the model only: no input or output, clock, thread or environment.
extern const Names pure_folders;

/// A line that breaks a rule of the design.
struct Violation {
  std::string file; ///< relative to the source tree
  std::size_t line;
  std::string what;
};

/// Reads the sources under src/, apps/ and include/ of a source tree.
std::vector<Violation> arrow_violations(const std::filesystem::path& tree);
/// Of `pure_folders`.
std::vector<Violation> purity_violations(const std::filesystem::path& tree);
/// SimGrid and MPI are optional, hence confined.
std::vector<Violation> simulator_violations(const std::filesystem::path& tree);
std::vector<Violation> length_violations(const std::filesystem::path& tree);

/// "file:line: what", one per line.
std::string print(const std::vector<Violation>& violations);

} // namespace hypermile::architecture
