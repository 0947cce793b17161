#include "io/cell_result.hpp"

#include "io/json_reader.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace hypermile::io {
namespace {

using nlohmann::ordered_json;
using study::Outcome;

constexpr const char* cell_schema = "hypermile/sweep-cell/1";

void expect_schema(const JsonReader& at, const char* schema) {
  if (at.at("schema").text() != schema)
    at.at("schema").fail(fmt::format("is not '{}'", schema));
}

double more_than_0(const JsonReader& at) {
  const double value = at.not_negative();
  if (value == 0)
    at.fail("is 0");
  return value;
}

std::optional<study::Prediction> read_prediction(const JsonReader& at) {
  if (at.is_null())
    return std::nullopt;
  return study::Prediction{.time = Seconds{at.at("time_s").not_negative()},
                           .energy = Joules{at.at("energy_j").not_negative()}};
}

study::Run read_run(const JsonReader& at) {
  study::Run run;
  run.method = at.at("method").text();
  run.time = Seconds{more_than_0(at.at("time_s"))};
  run.energy = Joules{more_than_0(at.at("energy_j"))};
  for (const JsonReader& gear : at.at("gears").elements())
    run.gears.push_back(gear.index());
  if (at.has("iterations_per_rank") && !at.at("iterations_per_rank").is_null())
    for (const JsonReader& iterations : at.at("iterations_per_rank").elements())
      run.iterations.push_back(iterations.index());
  const JsonReader predictions = at.at("predictions");
  run.by_cluster = read_prediction(predictions.at("cluster"));
  run.by_dependency = read_prediction(predictions.at("dependency"));
  return run;
}

std::vector<study::Run> read_simulation(const JsonReader& at) {
  expect_schema(at, "hypermile/simulation/1");
  std::vector<study::Run> runs;
  for (const JsonReader& run : at.at("runs").elements())
    runs.push_back(read_run(run));
  if (runs.front().method != "none")
    at.at("runs").fail("does not begin with the unscaled run");
  return runs;
}

Outcome::Status read_status(const JsonReader& at) {
  for (const auto status : {Outcome::Status::done, Outcome::Status::failed})
    if (at.text() == study::name_of(status))
      return status;
  at.fail("is neither done nor failed");
}

} // namespace

std::vector<study::Run> parse_simulation(const std::string& text, const std::string& file) {
  return read_simulation(JsonReader(parse_json(text, file), file));
}

std::string print_cell_result(const CellResult& result) {
  const study::Cell& cell = result.cell;
  const ordered_json json{{"schema", cell_schema},
                          {"program", cell.program},
                          {"class", cell.class_name},
                          {"ranks", cell.ranks},
                          {"platform", cell.platform},
                          {"repetition", cell.repetition},
                          {"arguments", cell.arguments},
                          {"fingerprint", result.fingerprint},
                          {"status", study::name_of(result.outcome.status)},
                          {"reason", result.outcome.reason},
                          {"took_s", result.outcome.took.value()},
                          {"simulation", result.simulation.empty()
                                             ? ordered_json()
                                             : ordered_json::parse(result.simulation)}};
  return json.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

Outcome parse_cell_result(const std::string& text, const std::string& file,
                          const std::string& fingerprint) {
  const JsonReader top(parse_json(text, file), file);
  expect_schema(top, cell_schema);
  if (top.at("fingerprint").text() != fingerprint)
    top.at("fingerprint").fail("is that of something else");
  Outcome outcome;
  outcome.status = read_status(top.at("status"));
  outcome.reason = top.at("reason").text();
  outcome.took = Seconds{top.at("took_s").not_negative()};
  if (outcome.status == Outcome::Status::done)
    outcome.runs = read_simulation(top.at("simulation"));
  return outcome;
}

} // namespace hypermile::io
