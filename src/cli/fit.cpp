#include "cli/checks.hpp"
#include "cli/commands.hpp"
#include "cli/help.hpp"
#include "cli/installation.hpp"
#include "cli/model_options.hpp"
#include "cli/output.hpp"
#include "cli/platform_file.hpp"
#include "cli/progress.hpp"

#include "io/text_file.hpp"
#include "report/model_fit_report.hpp"
#include "simulate/model_fit.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>

namespace hypermile::cli {
namespace {

constexpr const char* fit_usage =
    "hypermile fit MODEL DATA.csv --platform PLATFORM --parameter NAME,...";

constexpr const char* fit_footer =
    R"(MODEL is a model of a program in Lua, as for 'hypermile simulate --model'.
DATA.csv has a row for each measured run: a column 'ranks', one of 'time_s',
'energy_j' and 'energy_wh', and columns that are named after parameters of the
model which differ between the runs. The parameters that are named are
estimated: such that the sum of the squares of the relative errors is least,
with the model run as by 'simulate --fast'. The search begins at the model's own
values, or those of --set.

The table shows how well the model fits each run, and what it makes of a run
with the parameters that fit all the others. A fit is no validation: measure
runs that are not in DATA.csv, and compare.

Examples:
  What an operation costs, and what a process costs more:
    hypermile fit my.lua runs.csv --platform my.yaml --parameter work,overhead

  The same of measured energy, with another value to begin with:
    hypermile fit my.lua runs.csv --platform my.yaml --parameter work \
      --set work=1e6 --to energy

Exit code:
  0             the parameters were estimated
  1             they cannot be, from these runs
  2             wrong usage

docs/models.md describes models.)";

struct FitOptions {
  simulate::ModelFitRequest request;
  std::string data;
  std::string to;
  bool json = false;
  bool quiet = false;
};

int fit(const FitOptions& options) {
  std::optional<simulate::Measured> to;
  if (!options.to.empty())
    to = options.to == "time" ? simulate::Measured::time : simulate::Measured::energy;
  const auto observations =
      simulate::parse_observations(io::read_text_file(options.data), options.data, to);
  simulate::ModelFit fitted;
  {
    ProgressLine progress(options.quiet);
    fitted = simulate::fit_model(options.request, observations, find_installation(),
                                 {.step = [&](const std::string& text) { progress.step(text); },
                                  .status = [&](const std::string& text) { progress.status(text); },
                                  .printed = {}});
  }
  print_result(options.json ? report::model_fit_json(options.request, observations, fitted)
                            : report::print_model_fit(options.request, observations, fitted));
  return static_cast<int>(ExitCode::success);
}

void add_fit_options(CLI::App& command, FitOptions& options) {
  simulate::Experiment& experiment = options.request.experiment;
  command.add_option("MODEL", experiment.model, "A file in Lua, or a model that comes along")
      ->required();
  command.add_option("DATA.csv", options.data, "What was measured")->required();
  command
      .add_option("--platform", experiment.platform,
                  "Required: the platform on which it was measured, as for 'simulate'")
      ->type_name("PLATFORM")
      ->check(not_empty())
      ->required();
  add_swap_option(command, experiment.swaps);
  command
      .add_option("--parameter", options.request.parameters,
                  "Required: the parameters that are to be estimated")
      ->type_name("NAME,...")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->required();
  add_set_option(command, experiment);
  add_layout_options(command, experiment);
  command.add_flag(
      "--idle-nodes", options.request.with_idle_nodes,
      "The measured energy is that of all nodes of the platform, also of those without "
      "ranks");
  command
      .add_option("--to", options.to,
                  "Which of them to fit, where the data have both: time or energy")
      ->type_name("WHAT")
      ->check(one_of({"time", "energy"}));
  command.add_flag("--json", options.json, "Print the result as JSON, hypermile/fit/1");
  command.add_flag("-q,--quiet", options.quiet, "Show no progress on stderr");
}

} // namespace

void add_fit_command(CLI::App& root, int& exit_code) {
  auto* command =
      root.add_subcommand("fit", "Estimate parameters of a model of a program from measured runs");
  command->group("Commands");
  const auto options = std::make_shared<FitOptions>();
  command->formatter(std::make_shared<HelpFormatter>(fit_usage));
  command->footer(fit_footer);
  add_fit_options(*command, *options);
  command->callback([options, &exit_code] { exit_code = fit(*options); });
}

} // namespace hypermile::cli
