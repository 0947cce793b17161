#include "cli/slurm_settings.hpp"

#include "cli/choice_options.hpp"

#include "accounting/place_pattern.hpp"
#include "machine/registry.hpp"
#include "runtime/settings.hpp"
#include "units/error.hpp"

#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace hypermile::cli {
namespace {

/// Options of the command that starts a job, which Slurm does here.
constexpr std::array of_command{"baseline", "collectives",   "help",  "json",  "mpi",
                                "output",   "print-library", "quiet", "record"};

bool is_of_command(const std::string& name) {
  return std::ranges::find(of_command, name) != of_command.end();
}

[[noreturn]] void refuse_setting(const std::string& what, const std::string& advice) {
  throw Error(ErrorKind::config, fmt::format("--hypermile: {}", what), advice);
}

struct Word {
  std::string name;
  std::optional<std::string> value; ///< after the =
};

Word word_of(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos)
    return {text, std::nullopt};
  return {text.substr(0, equals), text.substr(equals + 1)};
}

std::string value_of(const Word& word, const char* example) {
  if (!word.value || word.value->empty())
    refuse_setting(fmt::format("{} has no value", word.name),
                   fmt::format("{}={}", word.name, example));
  return *word.value;
}

std::string pattern_of(const Word& word, const char* example) {
  std::string pattern = value_of(word, example);
  accounting::check_pattern(pattern);
  return pattern;
}

std::string show_of(const Word& word) {
  std::string value = value_of(word, "verdict");
  if (value != "verdict" && value != "report" && value != "nothing")
    refuse_setting(fmt::format("'{}' is none of verdict, report, nothing", value), "show=verdict");
  return value;
}

/// An option of `hypermile run`, as this declares it.
void add_option(const Word& word, const CLI::App& run, std::vector<std::string>& options) {
  const auto* const option = run.get_option_no_throw("--" + word.name);
  if (is_of_command(word.name))
    refuse_setting(fmt::format("{} is an option of the command 'hypermile run' only", word.name),
                   "srun hypermile run --help");
  if (option == nullptr || word.name.empty())
    refuse_setting(fmt::format("there is no setting '{}'", word.name),
                   "maxdist, exact, max-slowdown=3%, dry-run; or hypermile slurm --help");
  const bool is_switch = option->get_expected_min() == 0;
  if (!is_switch) {
    options.push_back("--" + word.name);
    options.push_back(value_of(word, option->get_type_name().c_str()));
    return;
  }
  options.push_back("--" + word.name +
                    (word.value && !runtime::parse_switch(*word.value) ? "=false" : ""));
}

} // namespace

std::vector<std::string> settings_in(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string word{text.substr(0, end)};
    text.remove_prefix(std::min(end + 1, text.size()));
    const bool continues =
        !words.empty() && !word.empty() && std::isdigit(static_cast<unsigned char>(word[0])) != 0;
    if (continues)
      words.back() += "," + word;
    else
      words.push_back(word);
  }
  return words;
}

SlurmSettings parse_slurm_settings(std::string_view text, const CLI::App& run) {
  SlurmSettings settings;
  const auto words = settings_in(text);
  for (const std::string& setting : words) {
    const Word word = word_of(setting);
    if (word.name == "off" && !word.value) {
      if (words.size() > 1)
        refuse_setting("off goes with no other setting", "--hypermile=off");
      settings.off = true;
    } else if (word.name == "on" && !word.value) {
      continue;
    } else if (word.name == "report") {
      settings.report = pattern_of(word, "out-%j.%s");
    } else if (word.name == "jobs") {
      settings.jobs = pattern_of(word, "jobs.jsonl");
    } else if (word.name == "show") {
      settings.show = show_of(word);
    } else if (!word.value && check_objective(word.name).empty()) {
      settings.options.insert(settings.options.end(), {"--objective", word.name});
    } else if (!word.value && check_method(word.name).empty()) {
      settings.options.insert(settings.options.end(), {"--method", word.name});
    } else {
      add_option(word, run, settings.options);
    }
  }
  return settings;
}

std::pair<std::string, std::string> site_variable(const std::string& setting) {
  const Word word = word_of(setting);
  if (word.name == "report")
    return {"HYPERMILE_STEP_REPORT", pattern_of(word, "out-%j.%s")};
  if (word.name == "jobs")
    return {"HYPERMILE_JOBS", pattern_of(word, "/var/log/hypermile/jobs.jsonl")};
  if (word.name == "show")
    return {"HYPERMILE_SHOW", show_of(word)};
  std::string variable = machine::variable_of(word.name);
  if (is_of_command(word.name) ||
      !(runtime::is_setting(variable) || machine::is_variable(variable)))
    throw Error(ErrorKind::config,
                fmt::format("plugstack.conf: there is no setting '{}' of a site", word.name),
                "jobs=FILE, report=FOLDER, platform=FILE, max-slowdown=3%");
  return {std::move(variable), word.value.value_or("on")};
}

} // namespace hypermile::cli
