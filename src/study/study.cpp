#include "study/study.hpp"

#include "units/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace hypermile::study {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// The length of "{letters}" at the begin of a text; 0: it does not begin so.
std::size_t placeholder_at(std::string_view text) {
  if (!text.starts_with('{'))
    return 0;
  const auto end = std::ranges::find_if_not(text.substr(1), is_letter);
  const auto letters = static_cast<std::size_t>(end - text.substr(1).begin());
  return letters > 0 && text.substr(1 + letters).starts_with('}') ? letters + 2 : 0;
}

std::string value_of(std::string_view placeholder, const std::string& class_name,
                     std::size_t ranks) {
  if (placeholder == "{class}")
    return class_name;
  if (placeholder == "{n}")
    return std::to_string(ranks);
  throw Error(ErrorKind::config, fmt::format("there is nothing to put in place of {}", placeholder),
              "{class}, or {n} for the number of ranks");
}

/// Those of the study that the program has not itself, and those of the program.
std::vector<Option> options_of(const Study& study, const Program& program) {
  std::vector<Option> options = study.options;
  std::erase_if(options, [&](const Option& option) {
    return std::ranges::find(program.options, option.name, &Option::name) != program.options.end();
  });
  options.insert(options.end(), program.options.begin(), program.options.end());
  return options;
}

/// What the words of a command line are made of.
struct Source {
  const Program& program;
  std::vector<Option> options;
  const Cell& cell;

  [[nodiscard]] std::string put_in(const std::string& word) const {
    return filled(word, cell.class_name, cell.ranks);
  }
};

void add_where(std::vector<std::string>& words, const Source& source) {
  words.push_back(fmt::format("--platform={}", source.cell.platform));
  words.push_back(fmt::format("--ranks={}", source.cell.ranks));
}

void add_option(std::vector<std::string>& words, const Source& source, const Option& option) {
  for (const std::string& value : option.values)
    words.push_back(fmt::format("--{}={}", option.name, source.put_in(value)));
}

void add_command(std::vector<std::string>& words, const Source& source) {
  if (!source.program.recording.empty())
    return words.push_back(fmt::format("--replay={}", source.put_in(source.program.recording)));
  words.emplace_back("--");
  for (const std::string& word : source.program.command)
    words.push_back(source.put_in(word));
}

/// A recorded run does that itself.
bool says_what_is_computed(const Option& option) {
  return option.name == "computation" || option.name == "reference-speed";
}

/// One simulation at a time: the cells are what runs side by side.
std::vector<std::string> arguments_of(const Source& source,
                                      const std::vector<std::string>& methods) {
  std::vector<std::string> words{"simulate"};
  add_where(words, source);
  words.push_back(fmt::format("--compare={}", fmt::join(methods, ",")));
  words.insert(words.end(), {"--jobs=1", "--json", "--quiet"});
  for (const Option& option : source.options)
    if (source.program.recording.empty() || !says_what_is_computed(option))
      add_option(words, source, option);
  add_command(words, source);
  return words;
}

/// With the options that what a program computes depends on.
std::vector<std::string> recorder_of(const Source& source) {
  if (!source.program.recording.empty())
    return {};
  std::vector<std::string> words{"simulate"};
  add_where(words, source);
  words.insert(words.end(), {"--method=none", "--quiet"});
  for (const Option& option : source.options) {
    if (option.name == "computation")
      return {};
    if (option.name == "reference-speed" || option.name == "simgrid-option")
      add_option(words, source, option);
  }
  add_command(words, source);
  return words;
}

} // namespace

std::size_t count_cells(const Study& study) {
  std::size_t count = 0;
  for (const Program& program : study.programs) {
    std::size_t of_program = 1;
    for (const std::size_t factor :
         {program.classes.size(), program.ranks.size(), study.platforms.size(), study.repeat})
      of_program = std::min(of_program * std::min(factor, most_cells + 1), most_cells + 1);
    count = std::min(count + of_program, most_cells + 1);
  }
  return count;
}

std::string filled(const std::string& word, const std::string& class_name, std::size_t ranks) {
  std::string text;
  for (std::size_t i = 0; i < word.size();) {
    const std::string_view rest = std::string_view(word).substr(i);
    const std::size_t length = placeholder_at(rest);
    text += length > 0 ? value_of(rest.substr(0, length), class_name, ranks) : rest.substr(0, 1);
    i += std::max<std::size_t>(length, 1);
  }
  return text;
}

std::vector<Cell> cells_of(const Study& study) {
  std::vector<Cell> cells;
  for (const Program& program : study.programs)
    for (const std::string& class_name : program.classes)
      for (const std::size_t ranks : program.ranks)
        for (const std::string& platform : study.platforms)
          for (std::size_t repetition = 1; repetition <= study.repeat; ++repetition) {
            Cell& cell = cells.emplace_back(Cell{.number = cells.size() + 1,
                                                 .program = program.name,
                                                 .class_name = class_name,
                                                 .ranks = ranks,
                                                 .platform = platform,
                                                 .repetition = repetition,
                                                 .arguments = {},
                                                 .recorder = {}});
            const Source source{program, options_of(study, program), cell};
            cell.arguments = arguments_of(source, study.methods);
            cell.recorder = recorder_of(source);
          }
  return cells;
}

std::string described(const Cell& cell) {
  return fmt::format("{}{}{}, {} rank{}, {}{}", cell.program, cell.class_name.empty() ? "" : " ",
                     cell.class_name, cell.ranks, cell.ranks == 1 ? "" : "s", cell.platform,
                     cell.repetition == 1 ? "" : fmt::format(", repetition {}", cell.repetition));
}

} // namespace hypermile::study
