#include "report/page_data.hpp"

#include "io/json_reader.hpp"
#include "io/text_file.hpp"
#include "report/compact_json.hpp"
#include "report/rank_times.hpp"
#include "report/simulation_details.hpp"
#include "units/error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <filesystem>
#include <span>
#include <string_view>

namespace hypermile::report {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

struct FolderKind {
  const char* name;
  const char* file;
  const char* schema;
  const char* command; ///< that leaves such a folder
  std::span<const std::string_view> keys;
};

constexpr std::array keys_of_run = std::to_array<std::string_view>(
    {"command",    "method",          "objective",        "max_slowdown",
     "platform",   "emulated",        "dry_run",          "ranks",
     "time_s",     "verdict",         "power_caps",       "energy",
     "predicted",  "phases",          "sensitivities",    "trade_offs",
     "whole_run",  "measured",        "baseline",         "plan",
     "overhead_s", "remarks",         "own_time_percent", "nodes",
     "decisions",  "gears_in_effect", "start_and_end_s",  "ranks_detail"});
constexpr std::array keys_of_simulation = std::to_array<std::string_view>(
    {"platform", "program", "ranks", "objective", "max_slowdown", "loop", "runs", "planned",
     "remarks", "waiting", "uncontended", "extrapolated"});

const FolderKind run_kind{"run", "run.json", "hypermile/run/1", "hypermile run --report FOLDER",
                          keys_of_run};
const FolderKind simulation_kind{"simulation", "simulation.json", "hypermile/simulation/1",
                                 "hypermile simulate --report FOLDER", keys_of_simulation};

std::string commands_with_reports() {
  return fmt::format("'{}' and '{}'", run_kind.command, simulation_kind.command);
}

const FolderKind& kind_of(const std::string& folder) {
  if (!fs::is_directory(folder))
    throw Error(ErrorKind::config, fmt::format("there is no folder {}", folder),
                fmt::format("a folder that one of these has left: {}", commands_with_reports()));
  const bool run = fs::exists(fs::path(folder) / run_kind.file);
  const bool simulation = fs::exists(fs::path(folder) / simulation_kind.file);
  if (run && simulation)
    throw Error(ErrorKind::config,
                fmt::format("{} has the reports of two commands, {} and {}", folder, run_kind.file,
                            simulation_kind.file),
                "a folder for each");
  if (!run && !simulation)
    throw Error(ErrorKind::config,
                fmt::format("{} has neither {} nor {}, and there are reports of these only", folder,
                            run_kind.file, simulation_kind.file),
                fmt::format("a folder that one of these has left: {}", commands_with_reports()));
  return run ? run_kind : simulation_kind;
}

/// The report of a folder, with all that the page relies on.
nlohmann::json read_report(const FolderKind& kind, const std::string& folder) {
  const std::string file = (fs::path(folder) / kind.file).string();
  const auto document = io::parse_json(io::read_text_file(file), file);
  const io::JsonReader top(document, file);
  const std::string advice = fmt::format("make it again: {}", kind.command);
  if (top.at("schema").text() != kind.schema)
    top.at("schema").fail(fmt::format("is not '{}'", kind.schema), advice);
  for (const std::string_view key : kind.keys)
    if (!top.has(key))
      top.fail(fmt::format("has no '{}': another version of hypermile left it", key), advice);
  return *document;
}

/// When a choice reached its nodes, in place of a line for each of them.
nlohmann::json summary_of(const nlohmann::json& set) {
  nlohmann::json summary{{"nodes", set.size()}, {"first_s", nullptr}, {"last_s", nullptr}};
  for (const nlohmann::json& node : set) {
    const nlohmann::json& time = node.at("time_s");
    if (summary["first_s"].is_null() || time < summary["first_s"])
      summary["first_s"] = time;
    if (summary["last_s"].is_null() || time > summary["last_s"])
      summary["last_s"] = time;
  }
  return summary;
}

/// Leaves out of the report what of many ranks and nodes no page could show.
ordered_json details_of_run(nlohmann::json& report) {
  std::vector<RankTimes> ranks;
  for (const nlohmann::json& rank : report.at("ranks_detail"))
    ranks.push_back({rank.at("computation_s"), rank.at("communication_s")});
  report.erase("ranks_detail");
  for (nlohmann::json& decision : report.at("decisions"))
    decision["set"] = summary_of(decision.at("set"));
  const ordered_json run{{"rank_times", rank_times_json(ranks)},
                         {"power", ordered_json::array()},
                         {"timeline", nullptr}};
  return {{"runs", ordered_json::array({run})},
          {"missing",
           {"Power over time: 'hypermile run' keeps energies, but not when they were used up.",
            "Timeline of each rank: 'hypermile run' keeps totals only."}}};
}

ordered_json details_of(const FolderKind& kind, const std::string& folder, nlohmann::json& report) {
  const std::string file = (fs::path(folder) / kind.file).string();
  try {
    return &kind == &run_kind ? details_of_run(report) : simulation_details(folder);
  } catch (const nlohmann::json::exception& error) {
    throw Error(ErrorKind::config, fmt::format("{} is not understood: {}", file, error.what()),
                fmt::format("make it again: {}", kind.command));
  }
}

template <class Value> ordered_json or_null(const std::optional<Value>& value) {
  return value ? ordered_json(*value) : ordered_json();
}

} // namespace

std::string page_data(const std::string& folder, const PageFactors& factors,
                      const std::string& version) {
  const FolderKind& kind = kind_of(folder);
  nlohmann::json report = read_report(kind, folder);
  const ordered_json details = details_of(kind, folder, report);
  CompactJson compacting;
  ordered_json data{{"kind", kind.name},
                    {"file", kind.file},
                    {"version", version},
                    {"price_per_kwh", or_null(factors.price_per_kwh)},
                    {"currency", factors.currency},
                    {"co2_g_per_kwh", or_null(factors.co2_g_per_kwh)},
                    {"report", compacting.compact(report)},
                    {"details", compacting.compact(nlohmann::json(details))}};
  return compacting.to_json(std::move(data))
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

} // namespace hypermile::report
