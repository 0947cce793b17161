// The rows of a sweep for programs that read them.

#include "report/sweep.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace hypermile::report {
namespace {

using nlohmann::ordered_json;
using study::Cell;
using study::Outcome;
using study::Run;

/// Calls `visit(cell, outcome, run)` for each row; the run is null where there is none.
template <class Visit> void for_each_row(const study::Results& results, const Visit& visit) {
  for (std::size_t i = 0; i < results.cells.size(); ++i) {
    const Outcome& outcome = results.outcomes[i];
    if (outcome.runs.empty())
      visit(results.cells[i], outcome, nullptr);
    for (const Run& run : outcome.runs)
      visit(results.cells[i], outcome, &run);
  }
}

ordered_json row_json(const Cell& cell, const Outcome& outcome, const Run* run) {
  ordered_json row{
      {"cell", cell.number},
      {"program", cell.program},
      {"class", cell.class_name.empty() ? ordered_json() : ordered_json(cell.class_name)},
      {"ranks", cell.ranks},
      {"platform", cell.platform},
      {"repetition", cell.repetition},
      {"status", study::name_of(outcome.status)},
      {"reason", outcome.reason.empty() ? ordered_json() : ordered_json(outcome.reason)}};
  for (const char* key : {"method", "time_s", "energy_j", "slowdown_percent", "saving_percent",
                          "distance_points", "gears"})
    row[key] = nullptr;
  if (run == nullptr)
    return row;
  const auto effect = study::effect_of(*run, outcome.runs.front());
  row["method"] = run->method;
  row["time_s"] = run->time.value();
  row["energy_j"] = run->energy.value();
  row["slowdown_percent"] = 100 * effect.slowdown;
  row["saving_percent"] = 100 * effect.saving;
  row["distance_points"] = 100 * effect.distance;
  row["gears"] = run->gears;
  return row;
}

/// In quotes where a reader would else take it apart.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos)
    return text;
  std::string quoted = "\"";
  for (const char c : text)
    quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string csv_numbers(const Outcome& outcome, const Run* run) {
  if (run == nullptr)
    return ",,,,,";
  const auto effect = study::effect_of(*run, outcome.runs.front());
  return fmt::format("{},{},{},{},{},{}", run->time.value(), run->energy.value(),
                     100 * effect.slowdown, 100 * effect.saving, 100 * effect.distance,
                     fmt::join(run->gears, " "));
}

} // namespace

std::string sweep_json(const study::Results& results) {
  ordered_json json{{"schema", "hypermile/sweep/1"}, {"study", results.study}};
  for (const auto status :
       {Outcome::Status::done, Outcome::Status::failed, Outcome::Status::missing})
    json[study::name_of(status)] = results.count(status);
  json["rows"] = ordered_json::array();
  for_each_row(results, [&](const Cell& cell, const Outcome& outcome, const Run* run) {
    json["rows"].push_back(row_json(cell, outcome, run));
  });
  json["means"] = ordered_json::array();
  for (const auto& [method, cells, mean] : study::means(results))
    json["means"].push_back({{"method", method},
                             {"cells", cells},
                             {"slowdown_percent", 100 * mean.slowdown},
                             {"saving_percent", 100 * mean.saving},
                             {"distance_points", 100 * mean.distance}});
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string sweep_csv(const study::Results& results) {
  std::string text = "cell,program,class,ranks,platform,repetition,status,method,time_s,energy_j,"
                     "slowdown_percent,saving_percent,distance_points,gears,reason\n";
  for_each_row(results, [&](const Cell& cell, const Outcome& outcome, const Run* run) {
    text +=
        fmt::format("{},{},{},{},{},{},{},{},{},{}\n", cell.number, cell.program, cell.class_name,
                    cell.ranks, csv_field(cell.platform), cell.repetition,
                    study::name_of(outcome.status), run == nullptr ? "" : csv_field(run->method),
                    csv_numbers(outcome, run), csv_field(outcome.reason));
  });
  return text;
}

} // namespace hypermile::report
