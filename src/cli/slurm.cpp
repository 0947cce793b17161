// What Slurm's plugin (src/slurm) asks: whether settings make sense, and what they mean to a task.

#include "cli/checks.hpp"
#include "cli/commands.hpp"
#include "cli/help.hpp"
#include "cli/installation.hpp"
#include "cli/output.hpp"
#include "cli/run_options.hpp"
#include "cli/run_preparation.hpp"
#include "cli/slurm_settings.hpp"

#include "launch/environment.hpp"
#include "units/error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <set>

#include <unistd.h>

namespace hypermile::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* slurm_footer =
    R"(With hypermile's plugin in Slurm's plugstack.conf, srun, sbatch and salloc have
the option --hypermile[=SETTINGS]. The plugin asks this command whether SETTINGS
make sense before the job starts, and for the variables of each task. Users need
this command only to try settings.

SETTINGS, with commas between them:
  maxdist, energy, ... an objective, see 'hypermile run --help'
  exact, alg5, ...     a method; none: only measure
  NAME=VALUE, NAME     an option of 'hypermile run': max-slowdown=3%, dry-run,
                       platform=cluster.yaml, gears=0,3,5, meter=powercap, ...
  report=FOLDER        keep the report of each step there, as run.txt and
                       run.json. Default: hypermile-%j.%s; none: keep none
  show=WHAT            at the end on the job's stderr: verdict (the default),
                       report or nothing
  jobs=FILE            add a line of JSON for each step to this file
  off                  not under hypermile, though the job's script asks for it
FOLDER and FILE may contain %j (the job), %s (the step), %u (the user), %n (the
node of rank 0) and %%. Variables HYPERMILE_... are read as by 'hypermile run';
SETTINGS override them, and they override those of the site.

Examples:
  With the plugin, for at most 5% more time, or 3%:
    srun --hypermile -n 64 ./app
    srun --hypermile=maxdist,max-slowdown=3% -n 64 ./app

  In a script for sbatch, for all of its steps:
    #SBATCH --hypermile=energy,max-slowdown=2%

  Are these settings understood?
    hypermile slurm --check energy,max-slowdown=2%

  The variables of a task:
    hypermile slurm max-slowdown=2%

Exit code:
  0             the settings make sense
  1             a file that they name cannot be used
  2             they are not understood

docs/slurm.md says how an administrator sets this up.)";

struct SlurmOptions {
  std::string settings;
  std::vector<std::string> site;
  bool check = false;
};

/// Settings of the site come after those of the user's variables; but the file of jobs is the
/// site's own.
void apply_site(const std::vector<std::string>& site) {
  for (const std::string& setting : site) {
    const auto [variable, value] = site_variable(setting);
    ::setenv(variable.c_str(), value.c_str(), variable == "HYPERMILE_JOBS" ? 1 : 0);
  }
}

bool is_ours(const std::string& library) {
  return fs::path(library).filename() == fs::path(preloaded_library()).filename();
}

/// What LD_PRELOAD has besides hypermile: a batch script's variables reach its steps.
std::string others_preloaded() {
  std::string others;
  std::string text = runtime::own_environment("LD_PRELOAD").value_or("");
  std::ranges::replace(text, ' ', ':'); // both separate
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find(':', start), text.size());
    if (const std::string one = text.substr(start, end - start); !one.empty() && !is_ours(one))
      others += (others.empty() ? "" : ":") + one;
    start = end + 1;
  }
  return others;
}

runtime::Environment without_hypermile() {
  return [](const std::string& name) {
    if (name != "LD_PRELOAD")
      return runtime::own_environment(name);
    const std::string others = others_preloaded();
    return others.empty() ? std::nullopt : std::optional(others);
  };
}

std::string absolute_pattern(const std::string& pattern) {
  return pattern.empty() || pattern == "none" ? pattern : fs::absolute(pattern).string();
}

/// Where and how rank 0 tells what became of the step.
control::Variables telling(const SlurmSettings& settings) {
  const auto own = [](const char* name) { return runtime::own_environment(name); };
  const bool user_has_folder = own("HYPERMILE_REPORT").has_value();
  const std::string report = settings.report.value_or(
      own("HYPERMILE_STEP_REPORT").value_or(user_has_folder ? "none" : "hypermile-%j.%s"));
  control::Variables variables{
      {"HYPERMILE_STEP_REPORT", absolute_pattern(report)},
      {"HYPERMILE_SHOW", settings.show.value_or(own("HYPERMILE_SHOW").value_or("verdict"))}};
  if (const auto jobs = settings.jobs ? settings.jobs : own("HYPERMILE_JOBS"))
    variables.emplace_back("HYPERMILE_JOBS", absolute_pattern(*jobs));
  return variables;
}

/// Our variables that the task inherits although its settings are others.
void take_away_others(control::Variables& variables) {
  std::set<std::string> given;
  for (const auto& [name, value] : variables)
    given.insert(name);
  for (const char* const* entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const std::string name = text.substr(0, text.find('='));
    if (runtime::is_setting(name) && !given.contains(name))
      variables.emplace_back(name, "");
  }
}

/// The options of `hypermile run` as SETTINGS and variables give them. Throws a CLI::Error for what
/// is not understood.
void read_options(CLI::App& run, RunOptions& options, const std::vector<std::string>& words) {
  options.command = {"srun"};
  run.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  bound_by_default(run, options);
  check_run_options(options);
}

control::Variables variables_of(const SlurmOptions& asked) {
  apply_site(asked.site);
  CLI::App run;
  RunOptions options;
  options.settings = runtime::read_settings(runtime::own_environment);
  add_run_options(run, options);
  const SlurmSettings settings = parse_slurm_settings(asked.settings, run);
  if (settings.off) {
    control::Variables none{{"LD_PRELOAD", others_preloaded()}};
    take_away_others(none);
    return none;
  }
  read_options(run, options, settings.options);
  prepare_settings(options);
  auto variables = launch::with_hypermile(options.command, options.settings, preloaded_library(),
                                          without_hypermile())
                       .environment;
  const auto told = telling(settings);
  variables.insert(variables.end(), told.begin(), told.end());
  take_away_others(variables);
  return variables;
}

/// Of a task whose settings cannot be used on this node, though they could where the job was
/// submitted. All tasks have to be watched or none.
control::Variables only_measuring() {
  runtime::Settings settings;
  settings.method = "none";
  return launch::with_hypermile({"srun"}, settings, preloaded_library(), without_hypermile())
      .environment;
}

void print_variables(const control::Variables& variables) {
  std::string text;
  for (const auto& [name, value] : variables)
    if (value.find('\n') == std::string::npos)
      text += fmt::format("{}={}\n", name, value);
  print_result(text);
}

/// As a setting, without the dashes of an option.
std::string as_setting(const std::string& message) {
  return "--hypermile: " + message.substr(message.starts_with("--") ? 2 : 0);
}

ExitCode answer(const SlurmOptions& options) {
  constexpr auto told = [](const std::string& error, const SlurmOptions& asked, ExitCode code) {
    print_error(error);
    if (asked.check)
      return code;
    print_remark("the job is only measured");
    print_variables(only_measuring());
    return ExitCode::success;
  };
  try {
    const auto variables = variables_of(options);
    if (!options.check)
      print_variables(variables);
    return ExitCode::success;
  } catch (const CLI::Error& error) {
    return told(as_setting(error.what()), options, ExitCode::usage);
  } catch (const Error& error) {
    return told(error.what(), options,
                error.kind() == ErrorKind::config ? ExitCode::usage : ExitCode::failure);
  }
}

} // namespace

void add_slurm_command(CLI::App& root, int& exit_code) {
  auto* command = root.add_subcommand("slurm", "Say what srun --hypermile=SETTINGS means to a job");
  command->group("Commands");
  command->formatter(std::make_shared<HelpFormatter>("hypermile slurm [OPTIONS] [SETTINGS]"));
  command->footer(slurm_footer);
  const auto options = std::make_shared<SlurmOptions>();
  command->add_option("SETTINGS", options->settings, "As of srun --hypermile=SETTINGS");
  command
      ->add_option("--site", options->site,
                   "A setting of plugstack.conf: NAME=VALUE as above. May be there several times")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false)
      ->check(not_empty());
  command->add_flag("--check", options->check,
                    "Only say whether the settings make sense, and print no variables");
  command->callback([options, &exit_code] { exit_code = static_cast<int>(answer(*options)); });
}

} // namespace hypermile::cli
