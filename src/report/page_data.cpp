#include "report/page_data.hpp"

#include "report/compact_json.hpp"
#include "report/page_source.hpp"
#include "report/rank_times.hpp"
#include "report/simulation_details.hpp"
#include "units/error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

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

ordered_json details_of(PageSource& source, const std::string& folder) {
  try {
    switch (source.kind) {
    case PageSource::Kind::run:
      return details_of_run(source.report);
    case PageSource::Kind::simulation:
      return simulation_details(folder);
    case PageSource::Kind::sweep:
      break;
    }
    return {{"runs", ordered_json::array()}, {"missing", ordered_json::array()}};
  } catch (const nlohmann::json::exception& error) {
    throw Error(ErrorKind::config,
                fmt::format("{} is not understood: {}", source.path, error.what()),
                fmt::format("make it again: {}", source.command));
  }
}

const char* name_of(PageSource::Kind kind) {
  switch (kind) {
  case PageSource::Kind::run:
    return "run";
  case PageSource::Kind::simulation:
    return "simulation";
  case PageSource::Kind::sweep:
    return "sweep";
  }
  return "";
}

template <class Value> ordered_json or_null(const std::optional<Value>& value) {
  return value ? ordered_json(*value) : ordered_json();
}

} // namespace

std::string page_data(const std::string& folder, const PageFactors& factors,
                      const std::string& version) {
  PageSource source = read_page_source(folder);
  const ordered_json details = details_of(source, folder);
  CompactJson compacting;
  ordered_json data{{"kind", name_of(source.kind)},
                    {"file", source.name},
                    {"version", version},
                    {"price_per_kwh", or_null(factors.price_per_kwh)},
                    {"currency", factors.currency},
                    {"co2_g_per_kwh", or_null(factors.co2_g_per_kwh)},
                    {"report", compacting.compact(source.report)},
                    {"details", compacting.compact(nlohmann::json(details))}};
  return compacting.to_json(std::move(data))
      .dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

} // namespace hypermile::report
