#pragma once

#include "runtime/exchange/run_report.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hypermile::learn {

/// Which job this is: the same program with the same arguments on as many ranks on nodes of the
/// same types.
struct Identity {
  std::string program; ///< name of its file
  std::vector<std::string> arguments;
  std::vector<runtime::RankNode> nodes; ///< by rank
  /// The program with the folder that was given when it was last started. Decides nothing.
  std::string started_as{};
};

/// What of the identity decides, as bytes: equal for equal jobs. Nodes may have other names.
[[nodiscard]] std::string key_of(const Identity& identity);
/// The program and its arguments, as somebody types them.
[[nodiscard]] std::string command_of(const Identity& identity);
/// The same with the folder of the program, for a shell.
[[nodiscard]] std::string shell_command_of(const Identity& identity);
/// "ep-0123456789abcdef.memory".
[[nodiscard]] std::string file_name_of(const Identity& identity);

/// What runs of a job have taught.
struct Memory {
  Identity identity;
  std::size_t runs = 1;               ///< that it comes from
  std::vector<std::string> functions; ///< names of the timelines' MPI functions
  /// By rank: each has a lesson. `Lesson::outline` is a mean of the last runs, the timeline is of
  /// one of them.
  std::vector<runtime::RankReport> ranks;
  std::vector<runtime::LearntPower> power{}; ///< of the nodes, by type
};

/// A memory as bytes, schema `hypermile/memory/4`: two lines of text, with the schema and a
/// checksum of what follows.
[[nodiscard]] std::string print_memory(const Memory& memory);
/// Throws Error{config} naming `file` for anything that print_memory() did not write.
[[nodiscard]] Memory parse_memory(std::string_view bytes, const std::string& file);

/// What is known after one more run, whose ranks have a lesson each.
struct Improved {
  Memory memory;
  std::string difference; ///< why the run was another one than known, so that it replaces all
};
/// The first run of a job, or one like those before, or not.
[[nodiscard]] Memory first_memory(Identity identity, std::vector<std::string> functions,
                                  std::vector<runtime::RankReport> run,
                                  std::vector<runtime::LearntPower> power = {});
[[nodiscard]] Improved improve(const Memory& known, const Memory& latest);

} // namespace hypermile::learn
