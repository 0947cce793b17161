#include "cli/explain_subjects.hpp"
#include "cli/report_gears.hpp"
#include "cli/simulate_options.hpp"
#include "cli/simulated_run.hpp"

#include "report/explanation.hpp"
#include "simulate/explanation.hpp"
#include "simulate/report_folder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace hypermile::cli {
namespace {

using model::Gear;
using runtime::RunReport;
using simulate::ReportFolder;

select::Request request_of(const ReportFolder& folder, const ExplainOptions& options) {
  const auto objective =
      options.objective ? options.objective : select::objective_named(folder.objective());
  if (!objective)
    throw Error(ErrorKind::config, fmt::format("{}/{}: '{}' is not an objective", folder.path(),
                                               simulate::simulation_name, folder.objective()));
  select::Request request{.objective = *objective};
  request.constraints.max_slowdown =
      options.max_slowdown ? options.max_slowdown : folder.max_slowdown();
  return request;
}

/// What is explained, and the gears.
std::pair<report::ExplainedRun, std::vector<Gear>>
find_gears(const ReportFolder& folder, const RunReport& unscaled, const ExplainOptions& options) {
  const auto nodes = placed_nodes_of(unscaled);
  report::ExplainedRun explained{.folder = folder.path(),
                                 .program = folder.program(),
                                 .platform = folder.platform(),
                                 .run = {},
                                 .given = !options.gears.empty() || !options.plan.empty(),
                                 .others = {},
                                 .simulated = std::nullopt,
                                 .request = {}};
  if (explained.given) {
    explained.run =
        options.plan.empty() ? "Gears " + options.gears : "The gears of " + options.plan;
    return {explained, given_gears(options.gears, options.plan, nodes)};
  }
  const auto& run = options.run.empty() ? usual_run(folder) : named_run(folder, options.run);
  const RunReport report = folder.report(run);
  explained.run = run.name;
  explained.others = names_of(folder);
  std::erase(explained.others, run.name);
  explained.simulated = simulate::Expectation{run.time, run.energy};
  explained.whole = run.whole;
  explained.changed_on_the_way = std::ranges::any_of(report.ranks, [](const auto& rank) {
    return !rank.changes.empty() || rank.switches > 1; // one may have been at MPI_Init
  });
  return {explained, gears_at_the_end(report, nodes)};
}

simulate::Forecast forecast_of(const ReportFolder& folder, const RunReport& unscaled,
                               const model::Timeline& timeline) {
  try {
    return simulate::Forecast(unscaled, timeline);
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("{}: {}", folder.path(), error.what()));
  }
}

} // namespace

namespace {

/// `stays`: somebody else can look into the folder.
std::string explained_folder(const std::string& path, bool stays, const ExplainOptions& options) {
  const ReportFolder folder(path);
  const RunReport unscaled = folder.report(folder.runs().front());
  const model::Timeline timeline = folder.timeline();
  auto [explained, gears] = find_gears(folder, unscaled, options);
  explained.request = request_of(folder, options);
  if (!stays) {
    explained.folder.clear();
    explained.others.clear();
  }
  const auto forecast = forecast_of(folder, unscaled, timeline);
  const auto explanation =
      simulate::explain(forecast, timeline, unscaled, gears, explained.request, options.top);
  return options.json ? report::explanation_json(explained, explanation, options.top)
                      : report::explanation_text(explained, explanation, options.top);
}

} // namespace

std::string explained_run(const ExplainOptions& options) {
  return explained_folder(options.subject, true, options);
}

std::string explained_simulation(const ExplainOptions& options) {
  simulate::Experiment experiment = options.simulated.experiment;
  experiment.max_slowdown = options.max_slowdown;
  if (options.objective)
    experiment.objective = select::name_of(*options.objective);
  if (!options.run.empty() && options.run != simulate::shown("none")) {
    if (const std::string wrong = check_simulated_method(options.run); !wrong.empty())
      throw NotThere(wrong, "");
    experiment.methods = {options.run};
  }
  const SimulatedRun run(experiment, options.simulated.quiet);
  return explained_folder(run.folder(), false, options);
}

} // namespace hypermile::cli
