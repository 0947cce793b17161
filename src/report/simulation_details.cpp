#include "report/simulation_details.hpp"

#include "report/critical_path.hpp"
#include "report/front_details.hpp"
#include "report/power_over_time.hpp"
#include "report/rank_times.hpp"
#include "report/timeline_picture.hpp"
#include "simulate/forecast.hpp"
#include "simulate/report_folder.hpp"
#include "simulate/whole_run_plan.hpp"
#include "units/error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>

namespace hypermile::report {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using simulate::ReportFolder;

/// "none" for the unscaled run: as its files are called.
std::string file_name_of(const ReportFolder::Run& run) {
  return run.method == "none" ? run.method : run.name;
}

bool has(const ReportFolder& folder, const std::string& file) {
  return fs::exists(fs::path(folder.path()) / file);
}

ordered_json timeline_json(const ReportFolder& folder, const ReportFolder::Run& run,
                           ordered_json& missing) {
  constexpr std::uintmax_t most_bytes = std::uintmax_t{1} << 29;
  const std::string file = simulate::timeline_of(file_name_of(run));
  if (!has(folder, file) || fs::file_size(fs::path(folder.path()) / file) > most_bytes) {
    missing.push_back(fmt::format("Timeline of {}: the file {} is {}.", run.name, file,
                                  has(folder, file) ? "too large to be drawn" : "not there"));
    return nullptr;
  }
  const model::Timeline timeline = folder.timeline(file);
  if (!timeline.complete())
    missing.push_back(fmt::format("Timeline of {}: hypermile could not follow some call of the "
                                  "program, and the timeline ends there.",
                                  run.name));
  return picture_json(picture_of(timeline));
}

ordered_json run_details(const ReportFolder& folder, const ReportFolder::Run& run,
                         ordered_json& missing) {
  const std::string file = simulate::run_report_of(file_name_of(run));
  ordered_json details{{"rank_times", nullptr}, {"power", ordered_json::array()}};
  if (has(folder, file)) {
    const runtime::RunReport report = folder.report(run);
    std::vector<RankTimes> ranks;
    for (const auto& rank : report.ranks)
      ranks.push_back({rank.computation.value(), rank.communication.value()});
    details["rank_times"] = rank_times_json(ranks);
    details["power"] = power_json(report);
  } else {
    missing.push_back(
        fmt::format("Ranks and power over time of {}: the file {} is not there.", run.name, file));
  }
  details["timeline"] = timeline_json(folder, run, missing);
  return details;
}

/// S of each rank's gear at the end of a run.
std::vector<double> scales_at_end(const runtime::RunReport& run) {
  std::vector<double> scales;
  for (const auto& rank : run.ranks)
    scales.push_back(rank.node.type.gears.scale(rank.gear));
  return scales;
}

/// By the dependency model, of the unscaled run in the gears that each run had at its end. That of
/// the unscaled run can be drawn into its timeline.
void add_critical_paths(const ReportFolder& folder, ordered_json& runs, ordered_json& missing) {
  constexpr std::size_t most_events = 4'000'000;
  const ReportFolder::Run& unscaled = folder.runs().front();
  ordered_json& picture = runs.at(0).at("timeline");
  if (picture.is_null() || runs.at(0).at("rank_times").is_null())
    return;
  const model::Timeline timeline = folder.timeline(simulate::timeline_of(file_name_of(unscaled)));
  if (event_count(timeline) > most_events) {
    missing.push_back("The critical path: the timeline has too many MPI calls for a page.");
    return;
  }
  try {
    const simulate::Forecast forecast(folder.report(unscaled), timeline);
    const auto& dependencies = forecast.predictor().dependencies();
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (runs[i].at("rank_times").is_null())
        continue;
      const auto scales = scales_at_end(folder.report(folder.runs()[i]));
      const Seconds length{picture.at("end_s").get<double>()};
      ordered_json path = critical_path_json(
          critical_path_picture(dependencies, scales, Seconds{}, length, TimelinePicture::columns));
      (i == 0 ? picture : runs[i])["path"] = std::move(path);
    }
  } catch (const Error& error) {
    missing.push_back(fmt::format("The critical path: {}.", error.what()));
  }
}

/// Of the whole run by the cluster model, from what the ranks did in gear 0; null where that is not
/// known.
ordered_json computed_front(const ReportFolder& folder, ordered_json& missing) {
  const ReportFolder::Run& unscaled = folder.runs().front();
  if (!has(folder, simulate::run_report_of(file_name_of(unscaled)))) {
    missing.push_back("The computed Pareto front: what the ranks did in gear 0 is not there.");
    return nullptr;
  }
  select::Request request;
  request.objective =
      select::objective_named(folder.objective()).value_or(select::Objective::maxdist);
  request.constraints.max_slowdown = folder.max_slowdown();
  try {
    const auto totals = simulate::totals_of(folder.report(unscaled));
    return front_details(model::table_problem(totals.table), request);
  } catch (const Error& error) {
    missing.push_back(fmt::format("The computed Pareto front: {}.", error.what()));
    return nullptr;
  }
}

} // namespace

ordered_json simulation_details(const std::string& path) {
  const ReportFolder folder(path);
  ordered_json missing = ordered_json::array();
  ordered_json runs = ordered_json::array();
  for (const auto& run : folder.runs())
    runs.push_back(run_details(folder, run, missing));
  add_critical_paths(folder, runs, missing);
  ordered_json front = computed_front(folder, missing);
  return {{"runs", runs}, {"front", std::move(front)}, {"missing", missing}};
}

} // namespace hypermile::report
