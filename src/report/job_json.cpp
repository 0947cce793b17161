#include "report/job_json.hpp"

#include "report/decision_json.hpp"
#include "report/job_outcome.hpp"
#include "report/job_ratios.hpp"
#include "report/learnt_power.hpp"
#include "report/phases.hpp"
#include "report/power_cap.hpp"
#include "report/power_over_time.hpp"
#include "report/sensitivity.hpp"
#include "report/setting_json.hpp"
#include "report/verdict.hpp"
#include "report/wait_gear.hpp"

#include <nlohmann/json.hpp>

namespace hypermile::report {
namespace {

using nlohmann::ordered_json;
using runtime::RankReport;

template <class Quantity> ordered_json optional(const std::optional<Quantity>& quantity) {
  return quantity ? ordered_json(quantity->value()) : ordered_json();
}

ordered_json ratio_json(const std::optional<Ratio>& ratio) {
  if (!ratio)
    return nullptr;
  return {{"time_ratio", ratio->time},
          {"energy_ratio", ratio->energy ? ordered_json(*ratio->energy) : ordered_json()}};
}

ordered_json known(const std::string& text) {
  return text.empty() ? ordered_json() : ordered_json(text);
}

ordered_json node_json(const RankReport& rank) {
  const auto access = rank.access.value_or(runtime::NodeAccess{});
  const auto& type = rank.node.type;
  return {{"name", rank.node.name},
          {"type", type.name},
          {"sets_gears_by", known(access.backend)},
          {"meter", known(access.meter)},
          {"energy_j", optional(rank.energy)},
          {"power_assumed", access.power_assumed},
          {"assumed", known(access.assumed)},
          {"gear", rank.gear},
          {"frequency_ghz", frequency_json(type, rank.gear)},
          {"setting", setting_json(type, rank.gear)},
          {"gears", type.gears.size()},
          {"wait_gear", wait_gear_json(rank)}};
}

ordered_json rank_json(const RankReport& rank) {
  return {{"rank", rank.rank},
          {"node", rank.node.name},
          {"time_s", rank.time.value()},
          {"computation_s", rank.computation.value()},
          {"communication_s", rank.communication.value()},
          {"mpi_calls", rank.calls},
          {"iterations", rank.loop.iterations},
          {"loop_first_iteration_s", rank.loop.first_iteration.value()},
          {"loop_s", rank.loop.total.value()},
          {"overhead_s", rank.overhead.value()},
          {"estimated_call_overhead_s", rank.watching.value()},
          {"unwatched_s", rank.unwatched.value()},
          {"taken_by_others_s", optional(rank.stolen)}};
}

ordered_json choice_json(const runtime::RunReport& run, const Leaders& leaders, std::size_t index) {
  const runtime::Decision& decision = run.decisions[index];
  auto effect = ordered_json::array();
  for (const RankReport& rank : run.ranks)
    if (index < rank.changes.size() && leaders.is(rank))
      effect.push_back({{"node", rank.node.name},
                        {"time_s", rank.changes[index].time.value()},
                        {"gear", rank.changes[index].gear},
                        {"in_effect", rank.changes[index].in_effect},
                        {"away_s", rank.changes[index].away.value()}});
  ordered_json json{{"nodes", decision.nodes}};
  json.update(decision_json(decision));
  const double ratio = decision.measured_time_ratio.value_or(0);
  json["measured_time_ratio"] =
      ratio >= believable_time_ratio ? ordered_json(ratio) : ordered_json();
  json["misfit"] = decision.misfit ? ordered_json{{"time_s", decision.misfit->time.value()},
                                                  {"time_ratio", decision.misfit->time_ratio},
                                                  {"energy_ratio", decision.misfit->energy_ratio}}
                                   : ordered_json();
  json["stepped_back"] = decision.stepped_back;
  json["set"] = effect;
  return json;
}

ordered_json external_json(const std::optional<Job::External>& external) {
  if (!external)
    return nullptr;
  return {{"energy_j", external->energy.value()},
          {"coverage", external->coverage},
          {"source", external->source},
          {"power_over_time", power_steps_json(external->power)}};
}

ordered_json trade_offs_json(const runtime::RunReport& run) {
  auto rows = ordered_json::array();
  for (const runtime::TradeOff& row : run.trade_offs)
    rows.push_back(
        {{"max_slowdown", row.max_slowdown ? ordered_json(*row.max_slowdown) : ordered_json()},
         {"time_ratio", row.time_ratio},
         {"energy_ratio", row.energy_ratio},
         {"this_run", row.in_force}});
  return rows;
}

ordered_json energy_json(const Job& job, const JobSummary& s) {
  return {{"measured_j", optional(s.measured_energy)},
          {"meters", s.meters},
          {"power_table_j", optional(s.table_energy)},
          {"power_assumed", s.power_assumed},
          {"assumed", s.assumed},
          {"external", external_json(job.external)}};
}

ordered_json basis_json(EnergyBasis basis) {
  switch (basis) {
  case EnergyBasis::none:
    return nullptr;
  case EnergyBasis::meters:
    return "meters";
  case EnergyBasis::external:
    return "external";
  case EnergyBasis::tables:
    return "power tables";
  }
  return nullptr;
}

ordered_json baseline_json(const Job& job, const JobSummary& s) {
  if (!job.baseline)
    return nullptr;
  return {{"time_s", s.baseline_time.value()},
          {"energy_j", optional(s.baseline_energy)},
          {"energy_by", basis_json(s.baseline_basis)},
          {"against_it", ratio_json(s.against_baseline)},
          {"power_over_time", power_json(*job.baseline)},
          {"external_power_over_time", job.baseline_external
                                           ? power_steps_json(job.baseline_external->power)
                                           : ordered_json::array()}};
}

ordered_json plan_json(const runtime::RunReport& run, const JobSummary& s) {
  if (!run.plan)
    return nullptr;
  ordered_json departed;
  for (const RankReport& rank : run.ranks)
    if (!rank.departed.empty())
      departed = course_of_plan(run);
  return {{"origin", run.plan->origin},
          {"runs", run.plan->runs},
          {"predicted", ratio_json(s.planned)},
          {"departed", departed}};
}

} // namespace

std::string job_json(const Job& job) {
  const JobSummary s = summarize(job);
  ordered_json json{{"schema", "hypermile/run/1"},
                    {"hypermile_version", HYPERMILE_VERSION},
                    {"command", job.command},
                    {"exit_code", job.exit_code ? ordered_json(*job.exit_code) : ordered_json()},
                    {"method", job.settings.method},
                    {"objective", job.settings.objective},
                    {"max_slowdown", job.settings.max_slowdown
                                         ? ordered_json(*job.settings.max_slowdown)
                                         : ordered_json()},
                    {"platform", job.settings.platform},
                    {"emulated", s.emulated},
                    {"dry_run", job.settings.dry_run},
                    {"collective_rules", known(job.collective_rules)},
                    {"ranks", job.run.ranks.size()},
                    {"time_s", s.time.value()}};
  json["verdict"] = verdict_of(job, s);
  json["power_caps"] = caps_json(caps_of(job, s));
  json["energy"] = energy_json(job, s);
  json["power_over_time"] = power_json(job.run);
  json["gears_in_effect"] = s.gears_in_effect;
  json["predicted"] = ratio_json(s.predicted);
  json["measured"] = ratio_json(s.measured);
  json["phases"] = phases_json(job.run);
  json["trade_offs"] = trade_offs_json(job.run);
  json["sensitivities"] = sensitivities_json(job.run);
  json["learnt_power"] = learnt_power_json(job.run);
  json["plan"] = plan_json(job.run, s);
  json["learnt"] = job.run.learnt;
  json["whole_run"] = ratio_json(s.whole_run);
  json["baseline"] = baseline_json(job, s);
  json["taken_by_others"] =
      s.taken_by_others ? ordered_json(s.taken_by_others->of_all) : ordered_json();
  json["overhead_s"] = s.overhead.value();
  json["start_and_end_s"] = s.at_ends.value();
  json["estimated_call_overhead_s"] = s.watching.value();
  json["own_time_percent"] = 100 * (s.own_ratio - 1);
  json["remarks"] = s.remarks;
  json["nodes"] = ordered_json::array();
  json["decisions"] = ordered_json::array();
  json["ranks_detail"] = ordered_json::array();
  const Leaders leaders(job.run);
  for (const RankReport* leader : leaders.all())
    json["nodes"].push_back(node_json(*leader));
  for (const RankReport& rank : job.run.ranks)
    json["ranks_detail"].push_back(rank_json(rank));
  for (std::size_t d = 0; d < job.run.decisions.size(); ++d)
    json["decisions"].push_back(choice_json(job.run, leaders, d));
  // Names come from files and systems that need not write UTF-8.
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

} // namespace hypermile::report
