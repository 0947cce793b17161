#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apps {

/// What one of our programs may be asked.
struct Syntax {
  std::string_view program;
  std::string_view classes; ///< the letters of its classes, one of which is S
  bool takes_iterations = false;
};

/// What the user asked of it.
struct CommandLine {
  std::string problem_class = "S";
  std::optional<int> iterations; ///< at least 1; none: as many as the class has
  bool verbose = false;
  bool help = false;
  std::string error; ///< empty when the arguments make sense
};

/// Reads `[--class X] [--iterations N] [--verbose] [--help]`.
CommandLine parse_command_line(const std::vector<std::string_view>& arguments,
                               const Syntax& syntax);

/// "usage: cg [--class S|W|A|B|C] [--verbose]" and what the options mean.
std::string usage(const Syntax& syntax);

} // namespace apps
