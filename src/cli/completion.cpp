#include "cli/commands.hpp"
#include "cli/help.hpp"
#include "cli/installation.hpp"
#include "cli/output.hpp"

#include "io/platform_yaml.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hypermile::cli {
namespace {

constexpr const char* completion_footer =
    R"(Prints a script that completes commands, options and their values when Tab is
pressed. 'make install' puts the three of them where the shells look for them.

Examples:
  bash: in this shell, and in all to come:
    source <(hypermile completion bash)
    hypermile completion bash \
      > ~/.local/share/bash-completion/completions/hypermile

  zsh: a folder of $fpath, before compinit:
    hypermile completion zsh > ~/.zsh/functions/_hypermile

  fish:
    hypermile completion fish > ~/.config/fish/completions/hypermile.fish)";

constexpr const char* bash_script = R"sh(# bash completion of hypermile
_hypermile() {
  local line current=${COMP_WORDS[COMP_CWORD]} or_else=files
  COMPREPLY=()
  [[ $current == = ]] && current=
  while IFS= read -r line; do
    case $line in
      :*) or_else=${line#:} ;;
      *) COMPREPLY+=("${line%%$'\t'*}") ;;
    esac
  done < <("${COMP_WORDS[0]}" completion words -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2> /dev/null)
  case $or_else in
    files | folders)
      compopt -o filenames 2> /dev/null
      while IFS= read -r line; do
        COMPREPLY+=("$line")
      done < <(compgen "$([[ $or_else == files ]] && echo -f || echo -d)" -- "$current") ;;
    command\ *)
      if declare -F _command_offset > /dev/null; then
        _command_offset "${or_else#command }"
      else
        compopt -o bashdefault -o default 2> /dev/null
      fi ;;
  esac
}
complete -F _hypermile hypermile
)sh";

constexpr const char* zsh_script = R"sh(#compdef hypermile
# zsh completion of hypermile
_hypermile() {
  local line or_else=files
  local -a candidates
  while IFS= read -r line; do
    case $line in
      :*) or_else=${line#:} ;;
      *) candidates+=("${${line%%$'\t'*}//:/\\:}${${line#*$'\t'}:+:${line#*$'\t'}}") ;;
    esac
  done < <("${(Q)words[1]}" completion words -- "${(@Q)words[2,CURRENT]}" 2> /dev/null)
  (( $#candidates )) && _describe -o hypermile candidates
  case $or_else in
    files) _files ;;
    folders) _files -/ ;;
    command\ *)
      shift ${or_else#command } words
      (( CURRENT -= ${or_else#command } ))
      _normal ;;
  esac
}
if [[ ${funcstack[1]} == _hypermile ]]; then
  _hypermile "$@"
else
  compdef _hypermile hypermile
fi
)sh";

constexpr const char* fish_script = R"sh(# fish completion of hypermile
function __hypermile_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l or_else files
    for line in ($words[1] completion words -- $words[2..-1] 2> /dev/null)
        if string match -q ':*' -- $line
            set or_else (string sub -s 2 -- $line)
        else
            echo $line
        end
    end
    switch $or_else
        case folders
            __fish_complete_directories (commandline -ct) ''
        case files 'command *'
            __fish_complete_path (commandline -ct)
    end
end
complete -c hypermile -f -a '(__hypermile_complete)'
)sh";

constexpr std::array<std::pair<std::string_view, const char*>, 3> scripts{
    {{"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}}};

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

using Else = Completion::Else;

/// By one of its names, with its dashes; null: there is none.
CLI::Option* option_named(CLI::App& command, const std::string& name) {
  const auto options = options_of(command);
  const auto found = std::ranges::find_if(options, [&](const CLI::Option* option) {
    return !option->get_positional() && option->check_name(name);
  });
  return found == options.end() ? nullptr : *found;
}

CLI::App* command_named(CLI::App& parent, const std::string& name) {
  const auto commands = commands_of(parent);
  const auto found = std::ranges::find(commands, name, &CLI::App::get_name);
  return found == commands.end() ? nullptr : *found;
}

/// The words of "a, b or c".
std::vector<std::string> words_of_list(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream parts(text);
  for (std::string word; parts >> word;) {
    if (word.ends_with(',') || word.ends_with(';'))
      word.pop_back();
    if (word != "or")
      words.push_back(word);
  }
  return words;
}

/// The values that an option takes, if they are few. CLI11 keeps checks as functions, so they are
/// asked: what is wrong with a value that nothing takes ends with those that could be tried.
std::vector<std::string> values_of(CLI::Option& option) {
  std::vector<std::string> values;
  for (int i = 0;; ++i) {
    CLI::Validator* check = nullptr;
    try {
      check = option.get_validator(i);
    } catch (const CLI::OptionNotFound&) { // there are no more
      return values;
    }
    std::string nothing_takes = "?";
    const std::string wrong = (*check)(nothing_takes);
    for (const std::string_view before : {" is none of ", "there are: ", "try: "})
      if (const auto at = wrong.rfind(before); at != std::string::npos)
        for (std::string& word : words_of_list(wrong.substr(at + before.size())))
          if ((*check)(word).empty())
            values.push_back(std::move(word));
  }
}

Else files_of(const std::string& type) {
  if (type == "FOLDER" || type == "DIR")
    return Else::folders;
  const bool file = type == "TABLE" || type == "PLATFORM" || type == "MODEL" ||
                    type.find("FILE") != std::string::npos;
  return file ? Else::files : Else::nothing;
}

void offer(Completion& completion, const std::string& part, const std::string& word,
           const std::string& description) {
  if (word.starts_with(part))
    completion.candidates.push_back({word, description});
}

/// Of an option, or of an argument without a name.
Completion complete_value(CLI::Option& option, const std::string& part) {
  const std::string type = option.get_positional() ? option.get_name() : option.get_type_name();
  std::vector<std::string> values = values_of(option);
  Completion completion;
  if (values.empty()) // what an argument is called says little: most are files
    completion.or_else =
        option.get_positional() && files_of(type) == Else::nothing ? Else::files : files_of(type);
  if (type == "PLATFORM")
    values = io::bundled_platforms(platform_folder());
  const bool is_list = type.ends_with(",...");
  const auto comma = is_list ? part.rfind(',') : std::string::npos;
  const std::string before = comma == std::string::npos ? "" : part.substr(0, comma + 1);
  for (const std::string& value : values)
    offer(completion, part, before + value, "");
  return completion;
}

Completion complete_option(CLI::App& command, const std::string& part) {
  Completion completion;
  for (const CLI::Option* option : options_of(command)) {
    for (const std::string& name : option->get_lnames())
      offer(completion, part, "--" + name, option->get_description());
    if (part == "-" && option->get_lnames().empty())
      for (const std::string& name : option->get_snames())
        offer(completion, part, "-" + name, option->get_description());
  }
  return completion;
}

/// `count`: arguments without a name that are there already.
Completion complete_argument(CLI::App& command, std::size_t count, const std::string& part) {
  Completion completion;
  if (count == 0)
    for (const CLI::App* below : commands_of(command))
      offer(completion, part, below->get_name(), below->get_description());
  std::size_t number = 0;
  for (CLI::Option* option : options_of(command))
    if (option->get_positional() && (number++ == count || option->get_expected_max() > 1)) {
      Completion value = complete_value(*option, part);
      std::ranges::move(value.candidates, std::back_inserter(completion.candidates));
      completion.or_else = value.or_else;
      break;
    }
  return completion;
}

/// `words`: of the command line after `hypermile`; the last one, which may be empty, is incomplete.
Completion complete(CLI::App& root, const std::vector<std::string>& words) {
  CLI::App* command = &root;
  CLI::Option* awaits = nullptr; // its value
  std::size_t arguments = 0;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string& word = words[i];
    if (awaits != nullptr) {
      if (word != "=") // bash takes --option=value for three words
        awaits = nullptr;
    } else if (word == "--") {
      return {.candidates = {}, .or_else = Else::command, .command_at = i + 2};
    } else if (word.starts_with("-")) {
      CLI::Option* const option = option_named(*command, word);
      awaits = option != nullptr && takes_value(*option) ? option : nullptr;
    } else if (CLI::App* below = command_named(*command, word);
               below != nullptr && arguments == 0) {
      command = below;
    } else {
      ++arguments;
    }
  }
  const std::string part = words.empty() ? "" : words.back();
  if (awaits != nullptr)
    return complete_value(*awaits, part == "=" ? "" : part);
  if (!part.starts_with("-"))
    return complete_argument(*command, arguments, part);
  const auto equals = part.find('=');
  if (equals == std::string::npos)
    return complete_option(*command, part);
  CLI::Option* const option = option_named(*command, part.substr(0, equals));
  if (option == nullptr || !takes_value(*option))
    return {};
  Completion completion = complete_value(*option, part.substr(equals + 1));
  for (auto& candidate : completion.candidates)
    candidate.word.insert(0, part, 0, equals + 1);
  return completion;
}

/// A line for each candidate, "WORD TAB DESCRIPTION", and one for what else could stand there.
std::string printed(const Completion& completion) {
  std::string text;
  for (const auto& [word, description] : completion.candidates)
    text += fmt::format("{}\t{}\n", word, description);
  switch (completion.or_else) {
  case Else::nothing:
    return text + ":nothing\n";
  case Else::files:
    return text + ":files\n";
  case Else::folders:
    return text + ":folders\n";
  case Else::command:
    return text + fmt::format(":command {}\n", completion.command_at);
  }
  return text;
}

} // namespace

void add_completion_command(CLI::App& root, int& exit_code) {
  auto* command =
      root.add_subcommand("completion", "Print a script that completes commands in a shell");
  command->group("Commands");
  command->formatter(std::make_shared<HelpFormatter>("hypermile completion bash|zsh|fish"));
  command->get_formatter()->label("Subcommands", "Commands");
  command->footer(completion_footer);
  command->require_subcommand(1);
  for (const auto& [shell, script] : scripts) {
    auto* of_shell = command->add_subcommand(std::string(shell), fmt::format("For {}", shell));
    of_shell->formatter(
        std::make_shared<HelpFormatter>(fmt::format("hypermile completion {}", shell)));
    of_shell->callback([text = script, &exit_code] {
      print_result(text);
      exit_code = static_cast<int>(ExitCode::success);
    });
  }
  auto* words = command->add_subcommand("words", "What the scripts ask");
  words->group("");
  const auto line = std::make_shared<std::vector<std::string>>();
  words->add_option("WORD", *line);
  words->callback([line, &root, &exit_code] {
    print_result(printed(complete(root, *line)));
    exit_code = static_cast<int>(ExitCode::success);
  });
}

} // namespace hypermile::cli
