#include "common/command_line.hpp"

#include <charconv>

namespace apps {
namespace {

constexpr int most_iterations = 1'000'000;

std::string alternatives(std::string_view classes) {
  std::string text;
  for (const char letter : classes) {
    if (!text.empty())
      text += '|';
    text += letter;
  }
  return text;
}

bool is_class(std::string_view value, std::string_view classes) {
  return value.size() == 1 && classes.find(value) != std::string_view::npos;
}

/// Takes the arguments from the left, one option with its value at a time.
class Reader {
public:
  Reader(const std::vector<std::string_view>& arguments, const Syntax& syntax)
      : arguments_(arguments), syntax_(syntax) {}

  CommandLine read() {
    for (; next_ < arguments_.size() && line_.error.empty(); ++next_)
      read_option(arguments_[next_]);
    if (line_.error.empty() && !is_class(line_.problem_class, syntax_.classes))
      line_.error =
          "no class '" + line_.problem_class + "'; try: one of " + alternatives(syntax_.classes);
    return line_;
  }

private:
  void read_option(std::string_view argument) {
    const std::string_view name = argument.substr(0, argument.find('='));
    if (argument == "--help" || argument == "-h")
      line_.help = true;
    else if (argument == "--verbose" || argument == "-v")
      line_.verbose = true;
    else if (name == "--class")
      line_.problem_class = value_of(name, "one of " + alternatives(syntax_.classes));
    else if (name == "--iterations" && syntax_.takes_iterations)
      read_iterations(value_of(name, "a number"));
    else
      line_.error = "unknown argument '" + std::string(argument) + "'; try: --help";
  }

  /// What stands behind the '=', else the next argument.
  std::string_view value_of(std::string_view name, const std::string& kind) {
    const std::string_view argument = arguments_[next_];
    if (argument.size() > name.size())
      return argument.substr(name.size() + 1);
    if (next_ + 1 < arguments_.size())
      return arguments_[++next_];
    line_.error = std::string(name) + " needs a value: " + kind;
    return {};
  }

  void read_iterations(std::string_view value) {
    if (!line_.error.empty())
      return;
    int count = 0;
    const char* end = value.data() + value.size();
    const auto [stopped, problem] = std::from_chars(value.data(), end, count);
    if (problem == std::errc{} && stopped == end && count >= 1 && count <= most_iterations)
      line_.iterations = count;
    else
      line_.error = "--iterations '" + std::string(value) +
                    "' is not a number of iterations; try: 1 to " + std::to_string(most_iterations);
  }

  const std::vector<std::string_view>& arguments_;
  const Syntax& syntax_;
  std::size_t next_ = 0;
  CommandLine line_;
};

} // namespace

CommandLine parse_command_line(const std::vector<std::string_view>& arguments,
                               const Syntax& syntax) {
  return Reader(arguments, syntax).read();
}

std::string usage(const Syntax& syntax) {
  std::string text = "usage: ";
  text.append(syntax.program).append(" [--class ").append(alternatives(syntax.classes)).append("]");
  if (syntax.takes_iterations)
    text += " [--iterations N]";
  text += " [--verbose]\n"
          "  --class X       the size of the problem (default S)\n";
  if (syntax.takes_iterations)
    text += "  --iterations N  how many, instead of the class's own number\n";
  return text + "  --verbose       also print the intermediate results\n"
                "  -h, --help      this text (smpirun keeps --help to itself)\n"
                "exit code: 0 verified, 1 verification failed, 2 wrong usage\n";
}

} // namespace apps
