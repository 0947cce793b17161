#include "cli/study_file.hpp"

#include "cli/installation.hpp"
#include "cli/simulate_options.hpp"

#include "io/platform_yaml.hpp"
#include "io/study_yaml.hpp"
#include "io/text_file.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

namespace hypermile::cli {
namespace {

namespace fs = std::filesystem;

/// Options of `hypermile simulate` that the cells have anyway, or that make no sense for them.
constexpr std::array not_for_studies{"platform", "ranks", "method", "compare", "report",
                                     "output",   "jobs",  "json",   "quiet",   "help"};

[[noreturn]] void refuse_option(const std::string& what, const std::string& advice = "") {
  throw Error(ErrorKind::config, what, advice);
}

/// As if it stood alone on the command line of `hypermile simulate`.
void check_option(const study::Option& option) {
  CLI::App command;
  SimulateOptions ignored;
  add_simulate_options(command, ignored);
  const std::string name = "--" + option.name;
  if (std::ranges::find(not_for_studies, option.name) != not_for_studies.end())
    refuse_option(fmt::format("the sweep itself sets {}", name),
                  "the keys of the study: ranks, platforms, methods");
  if (command.get_option_no_throw(name) == nullptr)
    refuse_option(fmt::format("'hypermile simulate' has no option {}", name),
                  "hypermile simulate --help");
  std::vector<std::string> words{"--platform=any", "program"};
  for (const std::string& value : option.values)
    words.push_back(fmt::format("{}={}", name, value));
  try {
    command.parse(std::vector<std::string>(words.rbegin(), words.rend())); // the last word first
  } catch (const CLI::ParseError& error) {
    refuse_option(error.what());
  }
}

void check_method_of_study(const std::string& name) {
  if (const std::string what = check_simulated_method(name); !what.empty())
    refuse_option(what);
}

/// A file is looked for where the simulations begin, in the study's folder.
void check_platform(const std::string& name, const fs::path& folder) {
  const fs::path file = folder / name;
  (void)io::find_platform(fs::exists(file) ? file.string() : name, platform_folder());
}

} // namespace

study::Study read_study(const std::string& file) {
  const fs::path folder = fs::absolute(file).parent_path();
  return io::parse_study(
      io::read_text_file(file), file,
      {.method = check_method_of_study,
       .platform = [&](const std::string& name) { check_platform(name, folder); },
       .option = check_option});
}

} // namespace hypermile::cli
