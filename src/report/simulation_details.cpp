#include "report/simulation_details.hpp"

#include "report/front_details.hpp"
#include "report/power_over_time.hpp"
#include "report/rank_times.hpp"
#include "report/timeline_picture.hpp"
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
  const TimelinePicture picture = picture_of(timeline);
  return {{"ranks", picture.ranks},
          {"ranks_per_row", picture.ranks_per_row},
          {"end_s", picture.end.value()},
          {"computing_percent", picture.computing}};
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
  ordered_json front = computed_front(folder, missing);
  return {{"runs", runs}, {"front", std::move(front)}, {"missing", missing}};
}

} // namespace hypermile::report
