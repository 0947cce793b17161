#pragma once

#include <string>
#include <vector>

namespace hypermile::test {

struct CommandResult {
  int exit_code;
  std::string out;
  std::string err;
};

/// Runs the hypermile of this build with these arguments and standard input.
CommandResult run_hypermile(const std::vector<std::string>& arguments,
                            const std::string& input = "");

} // namespace hypermile::test
