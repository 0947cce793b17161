#pragma once

#include <string>
#include <utility>
#include <vector>

namespace hypermile::launch {

/// A command that a user wants run, as he would run it.
struct Command {
  std::vector<std::string> arguments;                           ///< the program first
  std::vector<std::pair<std::string, std::string>> environment; ///< added to ours
};

/// How it ended.
struct End {
  int exit_code = 0; ///< as a shell reports it: 128 + number of the signal that killed it
  int signal = 0;
};

/// Runs it in the foreground: it has our terminal and streams. Signals that are sent to us alone
/// go on to it; what a terminal (Ctrl-C) or somebody else sends to the whole process group it gets
/// by itself. Returns when it has ended.
/// Throws Error{config} where there is no such program, Error{hardware} where it cannot be started.
End run(const Command& command);

} // namespace hypermile::launch
