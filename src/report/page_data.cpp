#include "report/page_data.hpp"

#include "io/json_reader.hpp"
#include "io/text_file.hpp"
#include "report/compact_json.hpp"
#include "report/page_source.hpp"
#include "report/rank_times.hpp"
#include "report/selection_details.hpp"
#include "report/simulation_details.hpp"
#include "report/steer_details.hpp"
#include "units/error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace hypermile::report {
namespace {

using nlohmann::ordered_json;

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

/// Leaves it out of the object.
nlohmann::json taken_from(nlohmann::json& object, const char* key) {
  nlohmann::json value = std::move(object.at(key));
  object.erase(key);
  return value;
}

/// What the ranks did in the loop, as loop_course() has it; null where the folder does not tell.
nlohmann::json loop_in(const std::string& folder) {
  const std::string path = (std::filesystem::path(folder) / "loop.json").string();
  if (!std::filesystem::exists(path))
    return nullptr;
  const auto document = io::parse_json(io::read_text_file(path), path);
  const io::JsonReader top(document, path);
  const std::string advice = "make it again: hypermile run --report FOLDER; or remove it";
  if (top.at("schema").text() != "hypermile/loop/1")
    top.at("schema").fail("is not 'hypermile/loop/1'", advice);
  for (const char* const time : {"before", "after"})
    for (const char* const key :
         {"ranks", "ranks_per_row", "end_s", "computing_percent", "waiting_percent", "path"})
      if (!top.at(time).has(key))
        top.at(time).fail(fmt::format("has no '{}'", key), advice);
  return *document;
}

/// The power of a run, as its meters said; else as an external meter did, which may be null. Leaves
/// both out of where they are.
nlohmann::json power_in(nlohmann::json& run, nlohmann::json* external, const char* of_external) {
  nlohmann::json power = taken_from(run, "power_over_time");
  if (external == nullptr || !external->is_object() || !external->contains(of_external))
    return power;
  nlohmann::json other = taken_from(*external, of_external);
  return power.empty() ? other : power;
}

/// Leaves out of the report what of many ranks and nodes no page could show.
ordered_json details_of_run(nlohmann::json& report, const std::string& folder) {
  std::vector<RankTimes> ranks;
  for (const nlohmann::json& rank : report.at("ranks_detail"))
    ranks.push_back({rank.at("computation_s"), rank.at("communication_s")});
  report.erase("ranks_detail");
  for (nlohmann::json& decision : report.at("decisions"))
    decision["set"] = summary_of(decision.at("set"));
  const auto found = report.at("energy").find("external");
  nlohmann::json* const external = found == report.at("energy").end() ? nullptr : &*found;
  const bool by_external =
      report.at("power_over_time").empty() && external != nullptr && external->is_object();
  auto runs = ordered_json::array(
      {{{"rank_times", rank_times_json(ranks)},
        {"power", power_in(report, external, "power_over_time")},
        {"timeline", nullptr}},
       {{"rank_times", nullptr}, {"power", ordered_json::array()}, {"timeline", nullptr}}});
  auto missing = ordered_json::array();
  if (runs[0].at("power").empty())
    missing.push_back("Power over time: not every node has a meter that was read.");
  if (nlohmann::json& baseline = report.at("baseline"); !baseline.is_null())
    runs[1]["power"] = power_in(baseline, &baseline, "external_power_over_time");
  const nlohmann::json loop = loop_in(folder);
  ordered_json about_loop;
  if (loop.is_null()) {
    missing.push_back("Timeline of each rank: no gears were chosen from events of the ranks.");
  } else {
    runs[0]["timeline"] = loop.at("after");
    runs[1]["timeline"] = loop.at("before");
    about_loop = {{"iterations", loop.at("iterations")},
                  {"recorded_in_gear0", loop.at("recorded_in_gear0")}};
  }
  return {{"runs", std::move(runs)},
          {"missing", std::move(missing)},
          {"power_by_external", by_external},
          {"loop", std::move(about_loop)}};
}

ordered_json details_of(PageSource& source, const PageTool& tool) {
  try {
    switch (source.kind) {
    case PageKind::run:
      return details_of_run(source.report, source.folder);
    case PageKind::simulation:
      return simulation_details(source.folder);
    case PageKind::steer:
      return steer_details(source.folder);
    case PageKind::selection:
      return selection_details(source.path, tool.platform_folder);
    case PageKind::front:
      return front_file_details(source.report);
    default: // all that there is to show is in the report
      break;
    }
    return {{"runs", ordered_json::array()}, {"missing", ordered_json::array()}};
  } catch (const nlohmann::json::exception& error) {
    throw Error(ErrorKind::config,
                fmt::format("{} is not understood: {}", source.path, error.what()),
                fmt::format("make it again: {}", source.command));
  }
}

template <class Value> ordered_json or_null(const std::optional<Value>& value) {
  return value ? ordered_json(*value) : ordered_json();
}

} // namespace

std::string page_data(const std::string& path, const PageFactors& factors, const PageTool& tool) {
  PageSource source = read_page_source(path);
  const ordered_json details = details_of(source, tool);
  CompactJson compacting;
  ordered_json data{{"kind", name_of(source.kind)},
                    {"file", source.name},
                    {"version", tool.version},
                    {"price_per_kwh", or_null(factors.price_per_kwh)},
                    {"currency", factors.currency},
                    {"co2_g_per_kwh", or_null(factors.co2_g_per_kwh)},
                    {"report", compacting.compact(source.report)},
                    {"details", compacting.compact(nlohmann::json(details))}};
  return compacting.to_json(std::move(data))
      .dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

} // namespace hypermile::report
