#include "io/study_yaml.hpp"

#include "io/yaml_reader.hpp"
#include "units/words.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hypermile::io {
namespace {

using study::Option;
using study::Program;
using study::Study;

constexpr std::size_t most_ranks = 100'000;

/// Names are parts of file names, of tables and of lines of scripts.
std::string read_plain_name(const YamlReader& at) {
  constexpr std::size_t longest = 60;
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("._+-").find(c) != std::string_view::npos;
  };
  std::string name = at.text();
  if (name.empty() || name.size() > longest || !std::ranges::all_of(name, fits))
    at.fail(fmt::format("'{}' is not a name", name),
            fmt::format("up to {} letters, digits, and . _ + -", longest));
  return name;
}

/// What goes into a command line, and may be a file's name.
std::string read_word(const YamlReader& at) {
  std::string word = at.text();
  if (std::ranges::any_of(word, [](char c) { return static_cast<unsigned char>(c) < ' '; }))
    at.fail("has a tab, the end of a line or another control character");
  return word;
}

std::string read_filled_word(const YamlReader& at) {
  std::string word = read_word(at);
  at.located([&] { return study::filled(word, "", 1); });
  return word;
}

/// A list in which nothing is there twice.
template <class Read>
auto read_list(const YamlReader& at, Read read) -> std::vector<decltype(read(at))> {
  std::vector<decltype(read(at))> values;
  at.for_each([&](const YamlReader& entry) {
    auto value = read(entry);
    if (std::ranges::find(values, value) != values.end())
      entry.fail(fmt::format("'{}' is there twice", value));
    values.push_back(std::move(value));
  });
  return values;
}

std::size_t read_ranks(const YamlReader& at) {
  const std::size_t ranks = at.count();
  if (ranks > most_ranks)
    at.fail(fmt::format("{} ranks are more than {}", ranks, most_ranks));
  return ranks;
}

/// A list of words, or words with blanks between them as for a shell.
std::vector<std::string> read_command(const YamlReader& at) {
  std::vector<std::string> words;
  if (at.is_sequence())
    at.for_each([&](const YamlReader& word) { words.push_back(read_filled_word(word)); });
  else
    words = at.located([&] { return split_words(read_filled_word(at)); });
  if (words.front().empty())
    at.fail("the program has no name");
  return words;
}

std::vector<std::string> read_values(const YamlReader& at) {
  std::vector<std::string> values;
  if (at.is_sequence())
    at.for_each([&](const YamlReader& value) { values.push_back(read_filled_word(value)); });
  else
    values.push_back(read_filled_word(at));
  return values;
}

std::vector<Option> read_options(const YamlReader& owner, const StudyChecks& checks) {
  std::vector<Option> options;
  const auto at = owner.find("options");
  if (at)
    at->for_each_key([&](const std::string& name, const YamlReader& value) {
      Option option{.name = name, .values = read_values(value)};
      value.located([&] { checks.option(option); });
      options.push_back(std::move(option));
    });
  return options;
}

bool names_class(const std::vector<std::string>& words) {
  return std::ranges::any_of(
      words, [](const std::string& word) { return word.find("{class}") != std::string::npos; });
}

/// A class that is nowhere, or a place for one that there is not.
void check_classes(const YamlReader& at, const Program& program,
                   const std::vector<Option>& shared) {
  const auto has_class = [](const Option& option) { return names_class(option.values); };
  const bool named = names_class(program.command) || names_class({program.recording}) ||
                     std::ranges::any_of(program.options, has_class) ||
                     std::ranges::any_of(shared, has_class);
  if (named && !at.find("classes"))
    at.fail("a command, recording or option has {class}, but there are no classes",
            "classes: [A, B]");
  if (!named && program.classes.size() > 1)
    at.at("classes").fail("differ in nothing: no command, recording or option has {class}");
}

Program read_program(const YamlReader& at, const std::vector<Option>& shared,
                     const StudyChecks& checks) {
  at.expect_keys({"name", "command", "recording", "classes", "ranks", "options"});
  Program program;
  program.name = read_plain_name(at.at("name"));
  const auto recording = at.find("recording");
  if (recording && at.find("command"))
    recording->fail("is there beside a command", "one of them");
  if (recording)
    program.recording = read_filled_word(*recording);
  else
    program.command = read_command(at.at("command"));
  const auto classes = at.find("classes");
  program.classes = classes ? read_list(*classes, read_plain_name) : std::vector<std::string>{""};
  program.ranks = read_list(at.at("ranks"), read_ranks);
  program.options = read_options(at, checks);
  check_classes(at, program, shared);
  return program;
}

void expect_study_schema(const YamlReader& at) {
  constexpr std::string_view schema = "hypermile/study/1";
  if (at.text() != schema)
    at.fail(fmt::format("'{}' is not a schema that this version reads", at.text()),
            std::string(schema));
}

std::vector<Program> read_programs(const YamlReader& at, const std::vector<Option>& shared,
                                   const StudyChecks& checks) {
  std::vector<Program> programs;
  at.for_each([&](const YamlReader& entry) {
    Program program = read_program(entry, shared, checks);
    if (std::ranges::find(programs, program.name, &Program::name) != programs.end())
      entry.at("name").fail(fmt::format("'{}' is there twice", program.name));
    programs.push_back(std::move(program));
  });
  return programs;
}

} // namespace

study::Study parse_study(const std::string& text, const std::string& file,
                         const StudyChecks& checks) {
  const auto checked = [](const auto& check) {
    return [&check](const YamlReader& at) {
      std::string word = read_word(at);
      at.located([&] { check(word); });
      return word;
    };
  };
  const YamlReader root = YamlReader::parse(text, file);
  root.expect_keys({"schema", "study", "programs", "platforms", "methods", "options", "repeat"});
  expect_study_schema(root.at("schema"));
  Study study;
  study.name = read_plain_name(root.at("study"));
  study.options = read_options(root, checks);
  study.programs = read_programs(root.at("programs"), study.options, checks);
  study.platforms = read_list(root.at("platforms"), checked(checks.platform));
  study.methods = read_list(root.at("methods"), checked(checks.method));
  if (const auto repeat = root.find("repeat"))
    study.repeat = repeat->count();
  if (study::count_cells(study) > study::most_cells)
    root.fail(fmt::format("has more than {} cells", study::most_cells), "several studies");
  return study;
}

} // namespace hypermile::io
