#include "report/power_cap.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace hypermile::report {
namespace {

using nlohmann::ordered_json;
using runtime::RankReport;

constexpr const char* by_tables = "power tables";

bool is_known(const RankReport& leader) {
  const auto& power = leader.node.type.power;
  const bool guessed =
      leader.access && leader.access->power_assumed &&
      (leader.access->assumed.empty() || leader.access->assumed == runtime::NodeAccess::generic);
  return !guessed &&
         std::ranges::all_of(power, [](const auto& p) { return p.computing > Watts{}; });
}

/// Another gear of a node, and what it then draws while it computes.
struct Step {
  Seconds time;
  std::size_t node;
  Watts power;
};

std::vector<Step> steps_of(const Leaders& leaders) {
  std::vector<Step> steps;
  for (std::size_t n = 0; n < leaders.all().size(); ++n) {
    const RankReport& leader = *leaders.all()[n];
    for (const runtime::GearChange& change : leader.changes)
      steps.push_back({change.time, n, leader.node.type.power[change.gear].computing});
  }
  std::ranges::stable_sort(steps, {}, &Step::time);
  return steps;
}

CapOutcome average_of(const Job& job, const JobSummary& s) {
  CapOutcome outcome{.cap = {.peak = false, .power = *job.settings.power_caps.average}};
  const auto set = [&](const std::optional<Joules>& energy, const char* by) {
    if (!energy || outcome.reached || !(s.time > Seconds{}))
      return;
    outcome.reached = *energy / s.time;
    outcome.by = by;
  };
  set(s.measured_energy, "measured");
  if (job.external && job.external->coverage >= enough_coverage)
    set(job.external->energy, "measured");
  if (!s.power_assumed || (!s.assumed.empty() && !is_generic(s)))
    set(s.table_energy, by_tables);
  return outcome;
}

CapOutcome peak_of(Watts cap, const runtime::RunReport& run) {
  CapOutcome outcome{.cap = {.peak = true, .power = cap}, .reached = report::peak_of(run)};
  outcome.by = outcome.reached ? by_tables : "";
  return outcome;
}

} // namespace

std::optional<bool> CapOutcome::kept() const {
  constexpr double rounding = 1 + 1e-9;
  return reached ? std::optional(*reached <= cap.power * rounding) : std::nullopt;
}

std::optional<Watts> peak_of(const runtime::RunReport& run) {
  const Leaders leaders(run);
  if (leaders.all().empty())
    return std::nullopt;
  std::vector<Watts> powers;
  Watts sum;
  for (const RankReport* leader : leaders.all()) {
    if (!is_known(*leader))
      return std::nullopt;
    // Without a choice the node had its gear from the beginning.
    const std::size_t gear = leader->changes.empty() ? leader->gear : leader->fastest;
    powers.push_back(leader->node.type.power[gear].computing);
    sum += powers.back();
  }
  Watts most = sum;
  for (const Step& step : steps_of(leaders)) {
    sum += step.power - powers[step.node];
    powers[step.node] = step.power;
    most = std::max(most, sum);
  }
  return most;
}

std::vector<CapOutcome> caps_of(const Job& job, const JobSummary& summary) {
  std::vector<CapOutcome> outcomes;
  if (job.settings.power_caps.average)
    outcomes.push_back(average_of(job, summary));
  if (job.settings.power_caps.peak)
    outcomes.push_back(peak_of(*job.settings.power_caps.peak, job.run));
  return outcomes;
}

std::vector<CapOutcome> caps_of(const io::PowerCaps& caps, Watts average,
                                const runtime::RunReport& run) {
  std::vector<CapOutcome> outcomes;
  if (caps.average)
    outcomes.push_back(
        {.cap = {.peak = false, .power = *caps.average}, .reached = average, .by = "simulated"});
  if (caps.peak)
    outcomes.push_back(peak_of(*caps.peak, run));
  return outcomes;
}

std::string cap_text(const CapOutcome& outcome) {
  const std::string cap = fmt::format("the cap of {:.4g} W on {} power", outcome.cap.power.value(),
                                      outcome.cap.peak ? "peak" : "average");
  const auto kept = outcome.kept();
  if (!kept)
    return fmt::format("whether {} was kept is not known, as the nodes' power is not", cap);
  return fmt::format("{} was {} ({:.4g} W, {}{})", cap, *kept ? "kept" : "missed",
                     outcome.reached->value(), outcome.by == by_tables ? "by " : "", outcome.by);
}

ordered_json caps_json(const std::vector<CapOutcome>& outcomes) {
  auto json = ordered_json::array();
  for (const CapOutcome& outcome : outcomes) {
    const auto kept = outcome.kept();
    json.push_back(
        {{"kind", outcome.cap.peak ? "peak" : "average"},
         {"cap_w", outcome.cap.power.value()},
         {"reached_w", outcome.reached ? ordered_json(outcome.reached->value()) : ordered_json()},
         {"by", outcome.by.empty() ? ordered_json() : ordered_json(outcome.by)},
         {"kept", kept ? ordered_json(*kept) : ordered_json()}});
  }
  return json;
}

std::string given_up(const runtime::RunReport& run) {
  if (run.decisions.empty())
    return "";
  const auto& violated = run.decisions.back().violated;
  const auto is_given_up = [&](const char* bound) {
    return std::ranges::find(violated, bound) != violated.end();
  };
  if (is_given_up(runtime::cap_given_up))
    return "No gears keep the cap on power; the nodes were put into those that come nearest.";
  return is_given_up(runtime::bound_given_up)
             ? "No gears keep both the cap on power and the bound on slowdown, so the cap came "
               "first: the nodes were put into the fastest gears that keep it."
             : "";
}

} // namespace hypermile::report
