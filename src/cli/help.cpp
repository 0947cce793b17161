#include "cli/help.hpp"

#include "cli/output.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <sstream>
#include <utility>

namespace hypermile::cli {
namespace {

/// The name in a column of its own, the text beside it in lines that fit a terminal.
std::string in_columns(const std::string& name, const std::string& text) {
  constexpr std::size_t width = 79;
  constexpr std::size_t text_column = 24;
  std::string lines = "  " + name;
  std::size_t column = lines.size();
  const auto new_line = [&] {
    lines += '\n' + std::string(text_column, ' ');
    column = text_column;
  };
  if (column + 2 > text_column) {
    new_line();
  } else {
    lines.append(text_column - column, ' ');
    column = text_column;
  }
  std::istringstream words(text);
  for (std::string word; words >> word; column += word.size()) {
    if (column > text_column && column + 1 + word.size() > width) {
      new_line();
    } else if (column > text_column) {
      lines += ' ';
      ++column;
    }
    lines += word;
  }
  return lines + "\n";
}

/// The command that was named, or the command of a command; else the whole program.
const CLI::App& named_command(const CLI::App& app) {
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty())
    command = command->get_subcommands().front();
  return *command;
}

std::string full_name(const CLI::App& command) {
  const CLI::App* const parent = command.get_parent();
  return parent == nullptr ? command.get_name()
                           : fmt::format("{} {}", full_name(*parent), command.get_name());
}

/// What the command line has that no option or command takes. CLI11 complains about what is
/// missing first; but a mistyped option is often the reason.
std::string unexpected(const CLI::App& app, const CLI::App& command) {
  const auto words = command.remaining();
  const auto word = std::ranges::find_if(words, [](const auto& w) { return w != "--"; });
  if (word == words.end())
    return "";
#ifndef HYPERMILE_SIMGRID
  if (&command == &app && (*word == "simulate" || *word == "sweep"))
    return "this hypermile was built without SimGrid, which simulating needs; try: make in a clone";
#endif
  if (!word->starts_with('-'))
    return fmt::format("{} '{}'", &command == &app ? "there is no command" : "unexpected argument",
                       *word);
  for (const auto& [name, what] : {std::pair{"PROGRAM", "program"}, {"COMMAND", "command"}})
    if (const auto* program = command.get_option_no_throw(name);
        program != nullptr && program->count() > 0 && std::ranges::find(words, "--") == words.end())
      return fmt::format("unknown option {}; if it is the {}'s, put -- before the {}", *word, what,
                         what);
  return fmt::format("unknown option {}", *word);
}

/// An option without its value has taken the -- before the command for it. What comes then is read
/// as if there had been none, so nothing else that is wrong with it means anything.
std::string missing_value(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options())
    if (!option->get_positional() &&
        std::ranges::find(option->results(), "--") != option->results().end())
      return fmt::format("{}: {} is missing before '--'", option->get_name(),
                         option->get_type_name());
  return "";
}

/// CLI11's own words where they are clear, else ours.
std::string explain(const CLI::ParseError& error) {
  std::string what = error.what();
  if (what == "A subcommand is required")
    return "no command is given";
  const std::string option = what.substr(0, what.find(':'));
  if (error.get_name() == "ArgumentMismatch")
    return option + (what.ends_with("missing") ? " needs a value" : " takes one value");
  if (error.get_name() == "ConversionError") // "Could not convert: --weight = x"
    return fmt::format("{} is not understood", what.substr(what.find(':') + 2));
  return what;
}

} // namespace

std::string HelpFormatter::make_usage(const CLI::App*, std::string) const { return "\n" + usage(); }

std::string HelpFormatter::make_positionals(const CLI::App*) const { return ""; }

std::string HelpFormatter::make_option(const CLI::Option* option, bool) const {
  const std::string value = takes_value(*option) ? " " + option->get_type_name() : "";
  std::string name = option->get_name(false, true);
  if (const std::size_t fallback = name.find('{'); fallback != std::string::npos)
    name.replace(fallback, std::string::npos, "[=HOW]"); // a flag that may have a value
  return in_columns(name + value, option->get_description());
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const {
  return in_columns(command->get_name(), command->get_description());
}

std::vector<CLI::App*> commands_of(CLI::App& command) {
  return command.get_subcommands([](const CLI::App* below) {
    return !below->get_name().empty() && !below->get_group().empty();
  });
}

std::vector<CLI::Option*> options_of(CLI::App& command) {
  auto options = command.get_options([](const CLI::Option*) { return true; });
  for (CLI::App* group :
       command.get_subcommands([](const CLI::App* below) { return below->get_name().empty(); }))
    std::ranges::copy(options_of(*group), std::back_inserter(options));
  std::erase_if(options, [](const CLI::Option* option) { return option->get_group().empty(); });
  return options;
}

int report_usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = named_command(app);
  std::string what = missing_value(command);
  if (what.empty())
    what = unexpected(app, command);
  const bool nothing = what.empty() && &command == &app && error.get_name() == "RequiredError";
  if (nothing) { // somebody who looks what hypermile is
    std::fputs((app.help() + "\n").c_str(), stderr);
    what = "no command is given";
  }
  const auto* formatter = dynamic_cast<const HelpFormatter*>(command.get_formatter().get());
  const bool incomplete = what.empty() && error.get_name() == "RequiredError";
  print_error(what.empty() ? explain(error) : what);
  if (incomplete && formatter != nullptr)
    std::fputs(formatter->usage().c_str(), stderr);
  std::fputs(fmt::format("try: {} --help\n", full_name(command)).c_str(), stderr);
  return static_cast<int>(ExitCode::usage);
}

} // namespace hypermile::cli
