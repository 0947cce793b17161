#include "report/page_source.hpp"

#include "io/json_reader.hpp"
#include "io/text_file.hpp"
#include "report/page_cells.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

namespace hypermile::report {
namespace {

namespace fs = std::filesystem;
using Keys = std::vector<std::string_view>;

struct SourceKind {
  PageSource::Kind kind;
  const char* file;
  const char* schema;
  const char* command;
  Keys keys;
  /// Arrays, and the keys of each of their elements.
  std::vector<std::pair<std::string_view, Keys>> elements;
};

const SourceKind& run_kind() {
  static const SourceKind kind{
      PageSource::Kind::run,
      "run.json",
      "hypermile/run/1",
      "hypermile run --report FOLDER",
      {"command",
       "method",
       "objective",
       "max_slowdown",
       "platform",
       "emulated",
       "dry_run",
       "ranks",
       "time_s",
       "verdict",
       "energy",
       "predicted",
       "measured",
       "whole_run",
       "baseline",
       "plan",
       "power_caps",
       "sensitivities",
       "exit_code",
       "remarks",
       "learnt",
       "overhead_s",
       "own_time_percent",
       "phases",
       "trade_offs",
       "nodes",
       "decisions",
       "start_and_end_s",
       "ranks_detail",
       "gears_in_effect",
       "estimated_call_overhead_s"},
      {{"phases", {"share", "iterations", "one_iteration", "time_ratio", "energy_ratio", "gears"}},
       {"trade_offs", {"max_slowdown", "time_ratio", "energy_ratio", "this_run"}},
       {"nodes", {"name", "type", "power_assumed", "assumed", "gear", "frequency_ghz", "gears"}},
       {"decisions",
        {"gears", "set", "time_model", "iteration_time_s", "iteration_energy_j", "certificate",
         "predicted_iteration_time_s", "predicted_iteration_energy_j", "measured_time_ratio",
         "given_up"}},
       {"ranks_detail", {"computation_s", "communication_s"}}}};
  return kind;
}

const SourceKind& simulation_kind() {
  static const SourceKind kind{
      PageSource::Kind::simulation,
      "simulation.json",
      "hypermile/simulation/1",
      "hypermile simulate --report FOLDER",
      {"platform", "program", "ranks", "objective", "max_slowdown", "loop", "runs", "planned",
       "remarks", "waiting", "uncontended", "extrapolated", "replayed", "model"},
      {{"runs",
        {"method", "time_s", "energy_j", "saving_percent", "slowdown_percent", "distance_points",
         "gear_switches", "predictions", "nodes", "gears", "frequencies_ghz", "decisions", "phases",
         "sensitivities", "power_caps"}}}};
  return kind;
}

constexpr const char* sweep_command = "hypermile sweep STUDY";

Error no_source(const std::string& what) {
  return {ErrorKind::config, what,
          fmt::format("a folder that one of these has left: '{}', '{}', '{}'", run_kind().command,
                      simulation_kind().command, sweep_command)};
}

/// Null for the results of a sweep.
const SourceKind* kind_of(const std::string& folder) {
  if (!fs::is_directory(folder))
    throw no_source(fmt::format("there is no folder {}", folder));
  const bool run = fs::exists(fs::path(folder) / run_kind().file);
  const bool simulation = fs::exists(fs::path(folder) / simulation_kind().file);
  if (run && simulation)
    throw Error(ErrorKind::config,
                fmt::format("{} has the reports of two commands, {} and {}", folder,
                            run_kind().file, simulation_kind().file),
                "a folder for each");
  if (run || simulation)
    return run ? &run_kind() : &simulation_kind();
  if (!has_cells(folder))
    throw no_source(fmt::format("{} has neither {} nor {} nor cells of a study, and there are "
                                "reports of these only",
                                folder, run_kind().file, simulation_kind().file));
  return nullptr;
}

void expect_all(const io::JsonReader& at, const Keys& keys, const std::string& advice) {
  for (const std::string_view key : keys)
    if (!at.has(key))
      at.fail(fmt::format("has no '{}': another version of hypermile left it", key), advice);
}

/// Throws for what is not there.
void check(const SourceKind& kind, const nlohmann::json& report, const io::JsonReader& top) {
  const std::string advice = fmt::format("make it again: {}", kind.command);
  if (top.at("schema").text() != kind.schema)
    top.at("schema").fail(fmt::format("is not '{}'", kind.schema), advice);
  expect_all(top, kind.keys, advice);
  for (const auto& [array, keys] : kind.elements)
    if (!report.at(array).is_array())
      top.at(array).fail("is not an array", advice);
    else if (!report.at(array).empty())
      for (const io::JsonReader& element : top.at(array).elements())
        expect_all(element, keys, advice);
}

} // namespace

PageSource read_page_source(const std::string& folder) {
  const SourceKind* const found = kind_of(folder);
  if (found == nullptr)
    return {.kind = PageSource::Kind::sweep,
            .name = fs::path(folder).lexically_normal().filename().string(),
            .path = folder,
            .command = sweep_command,
            .report = read_cells(folder)};
  const SourceKind& kind = *found;
  const std::string path = (fs::path(folder) / kind.file).string();
  const auto document = io::parse_json(io::read_text_file(path), path);
  check(kind, *document, io::JsonReader(document, path));
  return {.kind = kind.kind,
          .name = kind.file,
          .path = path,
          .command = kind.command,
          .report = *document};
}

} // namespace hypermile::report
