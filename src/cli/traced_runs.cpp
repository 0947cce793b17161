#include "cli/traced_runs.hpp"

#include "cli/report_gears.hpp"

#include "model/setting.hpp"
#include "units/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace hypermile::cli {
namespace {

using model::Gear;
using model::dependency::Predictor;
using simulate::ReportFolder;

std::vector<trace::TracedNode> traced_nodes(const runtime::RunReport& run,
                                            const Predictor& predictor,
                                            const std::vector<Gear>& gears) {
  std::vector<trace::TracedNode> nodes;
  for (std::size_t n = 0; n < predictor.node_count(); ++n) {
    const auto ranks = predictor.ranks(n);
    const auto& [name, type, assumed] = run.ranks[ranks.front()].node;
    const Watts waiting = predictor.waiting(n, gears[n]);
    nodes.push_back(
        {.name = name,
         .type = type.name,
         .ranks = {ranks.begin(), ranks.end()},
         .gear = gears[n],
         .setting = model::stated_setting(type, gears[n]),
         .waiting = waiting,
         .per_rank = (predictor.peak(n, gears[n]) - waiting) / static_cast<double>(ranks.size())});
  }
  return nodes;
}

/// In words, and the gears.
std::pair<std::string, std::vector<Gear>> chosen_gears(const ReportFolder& folder,
                                                       const runtime::RunReport& unscaled,
                                                       const TracedRunsOptions& options) {
  const auto nodes = placed_nodes_of(unscaled);
  if (!options.run.empty()) {
    const ReportFolder::Run& run = named_run(folder, options.run);
    return {"gears of " + run.name, gears_at_the_end(folder.report(run), nodes)};
  }
  const auto gears = given_gears(options.gears, options.plan, nodes);
  return {options.plan.empty() ? "gears " + options.gears : "gears of " + options.plan, gears};
}

simulate::Forecast checked_forecast(const ReportFolder& folder, const runtime::RunReport& unscaled,
                                    const model::Timeline& timeline) {
  try {
    return {unscaled, timeline};
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("{}: {}", folder.path(), error.what()));
  }
}

} // namespace

TracedRuns::TracedRuns(const std::string& path, const TracedRunsOptions& options) {
  const ReportFolder folder(path);
  const runtime::RunReport unscaled = folder.report(folder.runs().front());
  timeline_ = folder.timeline();
  program_ = fmt::format("{}", fmt::join(folder.program(), " "));
  platform_ = folder.platform();
  is_part_ = folder.runs().front().whole.has_value();
  const auto forecast = checked_forecast(folder, unscaled, timeline_);
  if (!options.forecast() || options.with_recorded) {
    const std::vector<Gear> fastest(forecast.predictor().node_count(), 0);
    add("recorded", false, fastest, unscaled, forecast);
  }
  if (options.forecast()) {
    const auto [label, gears] = chosen_gears(folder, unscaled, options);
    add(label, true, gears, unscaled, forecast);
  }
}

void TracedRuns::add(std::string label, bool is_forecast, const std::vector<Gear>& gears,
                     const runtime::RunReport& unscaled, const simulate::Forecast& forecast) {
  const Predictor& predictor = forecast.predictor();
  std::vector<double> scales;
  predictor.scales(gears, scales);
  runs_.push_back({.label = std::move(label),
                   .forecast = is_forecast,
                   .timeline = &timeline_,
                   .schedule = is_forecast ? predictor.dependencies().schedule(timeline_, scales)
                                           : model::dependency::recorded_schedule(timeline_),
                   .nodes = traced_nodes(unscaled, predictor, gears)});
}

} // namespace hypermile::cli
