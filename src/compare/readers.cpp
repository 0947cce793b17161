#include "compare/readers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace hypermile::compare {
namespace {

using io::JsonReader;

/// How many iterations are found varies with when the loop is found.
constexpr double like_iterations = 0.02;
/// Other programs always take a little.
constexpr double like_shares = 0.02;

/// Of a time in s or an energy in J.
constexpr double largest = 1e15;

int exit_code_of(const JsonReader& at) {
  if (at.is_null())
    return 0;
  constexpr double no_code = 1000;
  const double code = at.number();
  if (std::abs(code) >= no_code || code != std::floor(code))
    at.fail(fmt::format("is {:g}, which is no exit code", code));
  return static_cast<int>(code);
}

std::string joined(const JsonReader& texts, const std::string& otherwise) {
  std::vector<std::string> all;
  for (const JsonReader& text : texts.elements_if_any())
    all.push_back(text.text());
  return all.empty() ? otherwise : fmt::format("{}", fmt::join(all, ", "));
}

std::vector<KnownEnergy> energies_of_run(const JsonReader& top) {
  const JsonReader energy = top.at("energy");
  const bool emulated = top.at("emulated").boolean();
  std::vector<KnownEnergy> known;
  const auto add = [&](EnergyBy by, const JsonReader& joules) {
    if (!joules.is_null())
      known.push_back({by, joules_of(joules)});
  };
  add(emulated ? EnergyBy::emulated : EnergyBy::meters, energy.at("measured_j"));
  if (const JsonReader external = energy.at("external"); !external.is_null())
    add(EnergyBy::external, external.at("energy_j"));
  add(energy.at("power_assumed").boolean() ? EnergyBy::assumed_power : EnergyBy::power_tables,
      energy.at("power_table_j"));
  return known;
}

/// Each name once, in order.
std::string names_text(const JsonReader& nodes, const char* key, const std::string& otherwise) {
  std::vector<std::string> names;
  for (const JsonReader& node : nodes.elements_if_any())
    if (const std::string name = text_or(node.at(key), otherwise);
        std::ranges::find(names, name) == names.end())
      names.push_back(name);
  return fmt::format("{}", fmt::join(names, ", "));
}

Fact iterations_of(const JsonReader& ranks) {
  std::size_t most = 0;
  for (const JsonReader& rank : ranks.elements_if_any())
    most = std::max(most, rank.at("iterations").index());
  return {"iterations", most == 0 ? "no loop was found" : fmt::format("{}", most),
          static_cast<double>(most), like_iterations};
}

std::string plan_text(const JsonReader& plan) {
  return plan.is_null() ? "gear 0" : "the gears of " + plan.at("origin").text();
}

std::string yes_no(const JsonReader& at) { return at.boolean() ? "yes" : "no"; }

std::vector<Fact> facts_of_run(const JsonReader& top) {
  return {{"kind", top.at("emulated").boolean() ? "a run on emulated nodes" : "a run"},
          {"command", top.at("command").text()},
          {"ranks", fmt::format("{}", top.at("ranks").index())},
          {"types of nodes", types_text(top.at("nodes"))},
          {"names of nodes", names_text(top.at("nodes"), "name", "")},
          {"platform", top.at("platform").text()},
          {"what sets gears", names_text(top.at("nodes"), "sets_gears_by", "nothing")},
          {"meters", joined(top.at("energy").at("meters"), "none")},
          {"power taken from", joined(top.at("energy").at("assumed"), "the platform")},
          {"method", top.at("method").text()},
          {"objective", top.at("objective").text()},
          {"bound on slowdown", bound_text(top.at("max_slowdown"))},
          {"caps on power", caps_text(top.at("power_caps"))},
          {"dry run", yes_no(top.at("dry_run"))},
          {"collective rules", text_or(top.at("collective_rules"), "none")},
          {"began in", plan_text(top.at("plan"))},
          iterations_of(top.at("ranks_detail")),
          version_fact(top)};
}

std::string steered_bounds(const JsonReader& bounds) {
  std::vector<std::string> texts;
  for (const char* const key :
       {"power_w", "throughput_per_s", "utilisation", "deadline_s", "energy_j", "items"})
    if (!bounds.at(key).is_null())
      texts.push_back(fmt::format("{} {}", key, bounds.at(key).number()));
  return texts.empty() ? "none" : fmt::format("{}", fmt::join(texts, ", "));
}

EnergyBy by_of_steered(const JsonReader& top) {
  if (top.at("power_measured").boolean())
    return EnergyBy::meters;
  return top.at("power_source").text().starts_with("assumed") ? EnergyBy::assumed_power
                                                              : EnergyBy::power_tables;
}

} // namespace

std::string bound_text(const JsonReader& max_slowdown) {
  return max_slowdown.is_null() ? "none" : fmt::format("{:.4g} %", 100 * max_slowdown.number());
}

std::string text_or(const JsonReader& at, const std::string& otherwise) {
  return at.is_null() ? otherwise : at.text();
}

std::string caps_text(const JsonReader& power_caps) {
  std::vector<std::string> texts;
  for (const JsonReader& cap : power_caps.elements_if_any())
    texts.push_back(fmt::format("{} {:g} W", cap.at("kind").text(), cap.at("cap_w").number()));
  return texts.empty() ? "none" : fmt::format("{}", fmt::join(texts, ", "));
}

Fact version_fact(const JsonReader& top) {
  const bool told = top.has("hypermile_version");
  return {"version of hypermile", told ? top.at("hypermile_version").text() : "older"};
}

std::string types_text(const JsonReader& nodes) {
  std::map<std::string, std::size_t> counts;
  for (const JsonReader& node : nodes.elements_if_any())
    ++counts[node.at("type").text()];
  std::vector<std::string> texts;
  for (const auto& [type, count] : counts)
    texts.push_back(fmt::format("{} x {}", count, type));
  return fmt::format("{}", fmt::join(texts, ", "));
}

Seconds time_of(const JsonReader& at) {
  const double seconds = at.number();
  if (!(seconds >= 1e-12 && seconds <= largest))
    at.fail(fmt::format("is {:g}: only what took some time can be compared", seconds));
  return Seconds{seconds};
}

Joules joules_of(const JsonReader& at) {
  const double joules = at.not_negative();
  if (joules > largest)
    at.fail(fmt::format("is {:g}, which is more than {:g}", joules, largest));
  return Joules{joules};
}

std::vector<Run> read_run(const JsonReader& top) {
  Run run{.source = "", .cell = "", .method = "", .time = time_of(top.at("time_s"))};
  run.energies = energies_of_run(top);
  run.facts = facts_of_run(top);
  if (const JsonReader taken = top.at("taken_by_others"); !taken.is_null()) {
    run.taken_by_others = taken.not_negative();
    // As a number from 1 on: the tolerance is then in points of the share.
    run.facts.push_back({"taken by other programs",
                         fmt::format("{:.2g} % of the ranks' time", 100 * *run.taken_by_others),
                         1 + *run.taken_by_others, like_shares});
  }
  run.exit_code = exit_code_of(top.at("exit_code"));
  return {run};
}

std::vector<Run> read_steered(const JsonReader& top) {
  if (!top.at("reported_progress").boolean())
    top.at("reported_progress")
        .fail("is false: the program was not steered, and nothing was measured");
  const JsonReader items = top.at("items");
  Run run{.source = "", .cell = "", .method = "", .time = time_of(top.at("time_s"))};
  run.energies = {{by_of_steered(top), joules_of(top.at("energy_j"))}};
  run.facts = {{"kind", "a steered program"},
               {"command", top.at("program").text()},
               {"bounds", steered_bounds(top.at("bounds"))},
               {"what sets gears", top.at("backend").text()},
               {"power", top.at("power_source").text()},
               {"items", fmt::format("{:.6g}", items.number()), items.number(), like_iterations},
               version_fact(top)};
  run.exit_code = exit_code_of(top.at("exit_code"));
  return {run};
}

} // namespace hypermile::compare
