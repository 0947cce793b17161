#include "cli/commands.hpp"
#include "cli/help.hpp"
#include "cli/output.hpp"

#include "io/text_file.hpp"
#include "units/error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <sstream>
#include <vector>

namespace hypermile::cli {
namespace {

constexpr const char* manual_footer =
    R"(Prints what --help says of a command as a page for man(1). 'make install'
installs the pages of all commands.

Examples:
  Read the page of a command without an installation:
    hypermile manual run | man -l -

  Write the pages of all commands into a folder:
    hypermile manual --all -o man1)";

/// "hypermile-collective-bcast": what the page of a command is called.
std::string manual_name(const CLI::App& command) {
  const CLI::App* const parent = command.get_parent();
  return parent == nullptr ? command.get_name()
                           : fmt::format("{}-{}", manual_name(*parent), command.get_name());
}

/// Text as it is, where roff has its own meaning for some characters.
std::string escaped(const std::string& text) {
  std::string result;
  if (text.starts_with('.') || text.starts_with('\''))
    result = "\\&";
  for (const char c : text)
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
  return result;
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string section(const std::string& title) { return fmt::format(".SH {}\n", upper(title)); }

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

/// The usage lines of --help, without "usage: ".
std::string synopsis(const CLI::App& command) {
  const auto* formatter = dynamic_cast<const HelpFormatter*>(command.get_formatter().get());
  constexpr std::size_t indent = std::string_view("usage: ").size();
  std::string text = ".nf\n";
  for (const std::string& line : lines_of(formatter->usage()))
    text += escaped(line.substr(indent)) + "\n";
  return text + ".fi\n";
}

/// A name with what it stands for.
std::string entry(const std::string& name, const std::string& value, const std::string& text) {
  return fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", escaped(name),
                     value.empty() ? "" : fmt::format(" \\fI{}\\fR", escaped(value)),
                     escaped(text));
}

/// A section for each group, in the order in which they first come.
std::string options_by_group(CLI::App& command) {
  std::vector<std::pair<std::string, std::string>> groups;
  for (const CLI::Option* option : options_of(command)) {
    const bool argument = option->get_positional();
    if (argument && option->get_description().empty())
      continue; // the synopsis has it
    const std::string title = argument ? "Arguments" : option->get_group();
    auto group = std::ranges::find(groups, title, [](const auto& g) { return g.first; });
    if (group == groups.end())
      group = groups.insert(argument ? groups.begin() : groups.end(), {title, ""});
    group->second += entry(option->get_name(argument, !argument),
                           argument || !takes_value(*option) ? "" : option->get_type_name(),
                           option->get_description());
  }
  std::string text;
  for (const auto& [title, entries] : groups)
    text += section(title) + entries;
  return text;
}

std::string commands_below(CLI::App& command) {
  std::string text;
  for (const CLI::App* below : commands_of(command))
    text += entry(below->get_name(), "",
                  fmt::format("{}; see {}(1)", below->get_description(), manual_name(*below)));
  return text.empty() ? "" : section("Commands") + text;
}

/// The text below the options: paragraphs, blocks that are indented, and lines that end with a
/// colon and begin a section.
std::string footer(const std::string& text) {
  const std::vector<std::string> lines = lines_of(text);
  const auto is_indented = [&](std::size_t i) {
    return i < lines.size() && lines[i].starts_with(' ');
  };
  const auto is_empty = [&](std::size_t i) { return i >= lines.size() || lines[i].empty(); };
  std::string result;
  bool described = false; // a section has begun
  bool verbatim = false;
  bool gap = false; // an empty line is to come before more text
  const auto set_verbatim = [&](bool on) {
    if (verbatim != on)
      result += on ? ".nf\n" : ".fi\n";
    verbatim = on;
  };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool starts = i == 0 || is_empty(i - 1);
    if (starts && lines[i].ends_with(':') && !is_indented(i) && is_indented(i + 1)) {
      set_verbatim(false);
      result += section(lines[i].substr(0, lines[i].size() - 1));
      described = true;
      gap = false;
    } else if (lines[i].empty()) {
      gap = described;
    } else {
      if (!described)
        result += section("Description");
      described = true;
      if (gap && verbatim && is_indented(i)) {
        result += "\n";
      } else {
        set_verbatim(is_indented(i));
        result += gap ? ".PP\n" : "";
      }
      gap = false;
      result += escaped(lines[i]) + "\n";
    }
  }
  set_verbatim(false);
  return result;
}

/// What --help says of a command, in the macros of man(7).
std::string manual_page(CLI::App& command) {
  const std::string name = manual_name(command);
  std::string page = fmt::format(".TH {} 1 \"\" \"hypermile {}\" \"hypermile\"\n",
                                 escaped(upper(name)), HYPERMILE_VERSION);
  page += section("Name") +
          fmt::format("{} \\- {}\n", escaped(name), escaped(command.get_description()));
  page += section("Synopsis") + synopsis(command);
  page += options_by_group(command);
  page += commands_below(command);
  page += footer(command.get_footer());
  if (const CLI::App* parent = command.get_parent())
    page += section("See also") + fmt::format("{}(1)\n", escaped(manual_name(*parent)));
  return page;
}

struct ManualOptions {
  std::vector<std::string> command;
  std::string folder;
  bool all = false;
};

void write_pages(CLI::App& command, const std::filesystem::path& folder) {
  io::write_text_file(folder / (manual_name(command) + ".1"), manual_page(command));
  for (CLI::App* below : commands_of(command))
    write_pages(*below, folder);
}

CLI::App& find_command(CLI::App& root, const std::vector<std::string>& names) {
  CLI::App* command = &root;
  for (const std::string& name : names) {
    const auto below = commands_of(*command);
    const auto found = std::ranges::find(below, name, &CLI::App::get_name);
    if (found == below.end())
      throw CLI::ValidationError("COMMAND", fmt::format("there is no command '{}'", name));
    command = *found;
  }
  return *command;
}

} // namespace

void add_manual_command(CLI::App& root, int& exit_code) {
  auto* command = root.add_subcommand("manual", "Print the page of a command for man(1)");
  command->group("Commands");
  command->formatter(std::make_shared<HelpFormatter>("hypermile manual [COMMAND ...]\n"
                                                     "       hypermile manual --all -o FOLDER"));
  command->footer(manual_footer);
  const auto options = std::make_shared<ManualOptions>();
  auto* all = command->add_flag("--all", options->all, "The pages of all commands");
  auto* folder = command->add_option("-o,--output", options->folder, "Write them into this folder")
                     ->type_name("FOLDER")
                     ->needs(all);
  all->needs(folder);
  command->add_option("COMMAND", options->command)->excludes(all);
  command->callback([options, &root, &exit_code] {
    if (options->all) {
      std::filesystem::create_directories(options->folder);
      write_pages(root, options->folder);
    } else {
      print_result(manual_page(find_command(root, options->command)));
    }
    exit_code = static_cast<int>(ExitCode::success);
  });
}

} // namespace hypermile::cli
