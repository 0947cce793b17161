#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace apps {

/// What the user asked of one of our programs.
struct CommandLine {
  std::string problem_class = "S";
  bool verbose = false;
  bool help = false;
  std::string error; ///< empty when the arguments make sense
};

/// Reads `[--class X] [--verbose] [--help]`; `classes` are the letters that X may be.
CommandLine parse_command_line(const std::vector<std::string_view>& arguments,
                               std::string_view classes);

/// "usage: cg [--class S|W|A|B|C] [--verbose]" and what the options mean.
std::string usage(std::string_view program, std::string_view classes);

} // namespace apps
