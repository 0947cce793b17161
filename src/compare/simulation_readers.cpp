// Runs that were simulated: one simulation, or the cells of a study.

#include "compare/readers.hpp"

#include "units/words.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hypermile::compare {
namespace {

using io::JsonReader;

/// The speed of a core is measured anew for each simulation, unless --reference-speed sets it.
constexpr double like_speeds = 0.02;

std::string program_text(const JsonReader& words) {
  std::vector<std::string> all;
  for (const JsonReader& word : words.elements_if_any())
    all.push_back(word.text());
  return join_words(all);
}

std::string model_text(const JsonReader& model) {
  return model.is_null()
             ? "none"
             : model.at("file").text() + ", parameters " + model.at("parameters").json();
}

Fact speed_fact(const JsonReader& speed) {
  if (speed.is_null())
    return {"speed of a core here", "not used"};
  return {"speed of a core here", fmt::format("{:.4g} Gf", speed.number()), speed.number(),
          like_speeds};
}

std::string iterations_text(const JsonReader& per_rank) {
  if (per_rank.is_null())
    return "not told";
  std::size_t most = 0;
  for (const JsonReader& iterations : per_rank.elements_if_any())
    most = std::max(most, iterations.index());
  return most == 0 ? "no loop was found" : fmt::format("{}", most);
}

std::vector<Fact> facts_of_simulation(const JsonReader& top) {
  const bool uncontended = top.at("uncontended").boolean();
  return {{"kind", "a simulation"},
          {"command", program_text(top.at("program"))},
          {"replay of", text_or(top.at("replayed"), "nothing")},
          {"model", model_text(top.at("model"))},
          {"ranks", fmt::format("{}", top.at("ranks").index())},
          {"platform", top.at("platform").text()},
          {"nodes without ranks", fmt::format("{}", top.at("idle_nodes").index())},
          {"network", uncontended ? "without contention (--fast)" : "simulated"},
          {"extrapolated", top.at("extrapolated").is_null() ? "no" : "yes"},
          {"ranks that wait", top.at("waiting").text()},
          {"objective", top.at("objective").text()},
          {"bound on slowdown", bound_text(top.at("max_slowdown"))},
          speed_fact(top.at("reference_speed_gf")),
          version_fact(top)};
}

std::string cell_text(const JsonReader& cell) {
  const std::string name = text_or(cell.at("class"), "");
  return fmt::format("{}{}, {} ranks, {}", cell.at("program").text(),
                     name.empty() ? "" : " " + name, cell.at("ranks").index(),
                     cell.at("platform").text());
}

Run simulated(const JsonReader& run) {
  return {.source = "",
          .cell = "",
          .method = run.at("method").text(),
          .time = time_of(run.at("time_s")),
          .energies = {{EnergyBy::simulation, joules_of(run.at("energy_j"))}}};
}

Run of_cell(const JsonReader& run, const std::string& cell) {
  Run made = simulated(run);
  made.cell = cell;
  made.facts = {{"kind", "a simulation"}};
  return made;
}

} // namespace

std::vector<Run> read_simulation(const JsonReader& top) {
  const std::vector<Fact> shared = facts_of_simulation(top);
  std::vector<Run> runs;
  for (const JsonReader& at : top.at("runs").elements()) {
    Run run = simulated(at);
    run.facts = shared;
    run.facts.push_back({"types of nodes", types_text(at.at("nodes"))});
    run.facts.push_back({"caps on power", caps_text(at.at("power_caps"))});
    run.facts.push_back({"iterations", iterations_text(at.at("iterations_per_rank"))});
    runs.push_back(std::move(run));
  }
  return runs;
}

std::vector<Run> read_sweep(const JsonReader& top) {
  std::vector<Run> runs;
  for (const JsonReader& row : top.at("rows").elements_if_any())
    if (!row.at("method").is_null())
      runs.push_back(of_cell(row, cell_text(row)));
  return runs;
}

std::vector<Run> read_cells(const JsonReader& top) {
  std::vector<Run> runs;
  for (const JsonReader& cell : top.at("cells").elements_if_any())
    for (const JsonReader& run : cell.at("runs").elements_if_any())
      runs.push_back(of_cell(run, cell_text(cell)));
  return runs;
}

} // namespace hypermile::compare
