#include "cli/traced_runs.hpp"

#include "cli/report_gears.hpp"

#include "model/setting.hpp"
#include "units/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
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

/// Which calls of the schedule count: a recording to be repeated also has clocks that were read,
/// and marks.
std::vector<std::size_t> counted_calls(const model::dependency::Schedule::Rank& rank,
                                       const model::Timeline& timeline) {
  std::vector<std::size_t> counted;
  const model::RankTimeline& events = timeline.ranks.front();
  for (std::size_t c = 0; c < rank.calls.size(); ++c) {
    const auto& operation = events.operations[events.events[rank.calls[c].first].operation];
    const std::string& function = timeline.functions[operation.function];
    if (function != "Wtime" && function != "Iteration")
      counted.push_back(c);
  }
  return counted;
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
  loop_ = unscaled.ranks.front().loop;
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

trace::Window TracedRuns::window_of(const LoopPart& iterations) const {
  if (loop_.iterations == 0)
    throw NotThere("--iterations: no loop was found in the run", "--from and --to");
  if (iterations.last > loop_.iterations)
    throw NotThere(fmt::format("--iterations: the loop has {} iterations", loop_.iterations),
                   fmt::format("1-{}", loop_.iterations));
  const auto& rank = runs_.front().schedule.ranks.front();
  const Seconds begin = runs_.front().schedule.begin();
  const auto calls = counted_calls(rank, timeline_);
  const double each = static_cast<double>(loop_.calls) / static_cast<double>(loop_.iterations);
  /// When the computation before the first call of the iteration begins.
  const auto begin_of = [&](std::size_t iteration) {
    const double before = static_cast<double>(loop_.calls_before);
    const auto call =
        static_cast<std::size_t>(std::llround(before + each * static_cast<double>(iteration - 1)));
    if (call >= calls.size())
      return rank.end - begin;
    return (calls[call] == 0 ? rank.begin : rank.calls[calls[call] - 1].left) - begin;
  };
  return {.from = begin_of(iterations.first), .to = begin_of(iterations.last + 1)};
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
