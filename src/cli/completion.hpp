#pragma once

#include <CLI/CLI.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace hypermile::cli {

/// What could stand in place of the last word of a command line.
struct Completion {
  struct Candidate {
    std::string word;
    std::string description; ///< may be empty
  };
  /// What else could stand there, of which shells know more than we.
  enum class Else { nothing, files, folders, command };

  std::vector<Candidate> candidates; ///< all begin with what is there of the word
  Else or_else = Else::nothing;
  std::size_t command_at = 0; ///< with Else::command: its first word; `hypermile` is word 0
};

/// `words`: of the command line after `hypermile`; the last one, which may be empty, is incomplete.
[[nodiscard]] Completion complete(CLI::App& root, const std::vector<std::string>& words);

} // namespace hypermile::cli
