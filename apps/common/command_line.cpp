#include "common/command_line.hpp"

namespace apps {
namespace {

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

} // namespace

CommandLine parse_command_line(const std::vector<std::string_view>& arguments,
                               std::string_view classes) {
  constexpr std::string_view class_is = "--class=";
  CommandLine line;
  for (std::size_t i = 0; i < arguments.size() && line.error.empty(); ++i) {
    const std::string_view argument = arguments[i];
    if (argument == "--help" || argument == "-h")
      line.help = true;
    else if (argument == "--verbose" || argument == "-v")
      line.verbose = true;
    else if (argument == "--class" && i + 1 < arguments.size())
      line.problem_class = arguments[++i];
    else if (argument == "--class")
      line.error = "--class needs a value: one of " + alternatives(classes);
    else if (argument.substr(0, class_is.size()) == class_is)
      line.problem_class = argument.substr(class_is.size());
    else
      line.error = "unknown argument '" + std::string(argument) + "'; try: --help";
  }
  if (line.error.empty() && !is_class(line.problem_class, classes))
    line.error = "no class '" + line.problem_class + "'; try: one of " + alternatives(classes);
  return line;
}

std::string usage(std::string_view program, std::string_view classes) {
  std::string text = "usage: ";
  text.append(program).append(" [--class ").append(alternatives(classes));
  return text + "] [--verbose]\n"
                "  --class X   the size of the problem (default S)\n"
                "  --verbose   also print the intermediate results\n"
                "  -h, --help  this text (smpirun keeps --help to itself)\n"
                "exit code: 0 verified, 1 verification failed, 2 wrong usage\n";
}

} // namespace apps
