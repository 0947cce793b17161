#include "report/job_summary.hpp"

#include "report/job_remarks.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace hypermile::report {
namespace {

using runtime::RankReport;
using runtime::RunReport;

/// What one call costs that is only counted and recorded, about.
constexpr Seconds per_call{1e-7};

Seconds time_of(const RunReport& run) {
  Seconds time;
  for (const RankReport& rank : run.ranks)
    time = std::max(time, rank.time);
  return time;
}

/// None where not every node has a meter.
std::optional<Joules> metered_energy(const Leaders& leaders) {
  Joules sum;
  for (const RankReport* leader : leaders.all()) {
    if (!leader->energy)
      return std::nullopt;
    sum += *leader->energy;
  }
  return leaders.all().empty() ? std::nullopt : std::optional(sum);
}

std::vector<std::string> meters_of(const Leaders& leaders) {
  std::set<std::string> meters;
  for (const RankReport* leader : leaders.all())
    if (leader->access && !leader->access->meter.empty())
      meters.insert(leader->access->meter);
  return {meters.begin(), meters.end()};
}

void describe_nodes(const Leaders& leaders, JobSummary& summary) {
  summary.nodes = leaders.all().size();
  for (const RankReport* leader : leaders.all()) {
    const auto& type = leader->node.type;
    summary.gears_known = summary.gears_known && (type.frequencies_known || type.gears.size() > 1);
    if (leader->access) {
      summary.emulated = summary.emulated || leader->access->backend == "emulated";
      summary.power_assumed = summary.power_assumed || leader->access->power_assumed;
    }
  }
}

void add_overhead(const RunReport& run, JobSummary& summary) {
  for (const RankReport& rank : run.ranks) {
    summary.overhead = std::max(summary.overhead, rank.overhead);
    summary.wrapping = std::max(summary.wrapping, per_call * static_cast<double>(rank.calls));
  }
}

/// An external meter that did not miss anything worth telling.
std::optional<Joules> complete(const std::optional<Job::External>& external) {
  constexpr double enough = 0.99;
  return external && external->coverage >= enough ? std::optional(external->energy) : std::nullopt;
}

/// Of the run and of its baseline, by the best means that both have.
struct Energies {
  EnergyBasis basis;
  std::optional<Joules> now;
  std::optional<Joules> before;
};

Energies comparable(const Job& job, const JobSummary& summary) {
  if (job.settings.meter == "none")
    return {EnergyBasis::none, {}, {}};
  for (const Energies& energies :
       {Energies{EnergyBasis::meters, summary.measured_energy,
                 metered_energy(Leaders(*job.baseline))},
        Energies{EnergyBasis::external, complete(job.external), complete(job.baseline_external)},
        Energies{EnergyBasis::tables, summary.table_energy, table_energy(*job.baseline)}})
    if (energies.now && energies.before && *energies.before > Joules{})
      return energies;
  return {EnergyBasis::none, {}, {}};
}

void compare_with_baseline(const Job& job, JobSummary& summary) {
  const Energies energies = comparable(job, summary);
  summary.baseline_time = time_of(*job.baseline);
  summary.baseline_energy = energies.before;
  summary.baseline_basis = energies.basis;
  if (!(summary.baseline_time > Seconds{}))
    return;
  summary.against_baseline = Ratio{summary.time / summary.baseline_time, std::nullopt};
  if (energies.before)
    summary.against_baseline->energy = *energies.now / *energies.before;
}

std::optional<Ratio> planned_ratio(const std::optional<runtime::PlannedRun>& plan) {
  if (!plan || plan->baseline.time <= Seconds{} || plan->baseline.energy <= Joules{})
    return std::nullopt;
  return Ratio{plan->time / plan->baseline.time, plan->energy / plan->baseline.energy};
}

void leave_out_energy(JobSummary& summary) {
  summary.measured_energy.reset();
  summary.table_energy.reset();
  summary.meters.clear();
  for (auto* const ratio : {&summary.measured, &summary.whole_run})
    if (*ratio)
      (*ratio)->energy.reset();
}

} // namespace

std::string energy_by(const Ratio& ratio, EnergyBasis basis, bool assumed) {
  if (!ratio.energy || basis != EnergyBasis::tables)
    return "";
  return assumed ? "; energy by assumed power" : "; energy by power tables";
}

JobSummary summarize(const Job& job) {
  const Leaders leaders(job.run);
  JobSummary summary;
  summary.time = time_of(job.run);
  describe_nodes(leaders, summary);
  add_overhead(job.run, summary);
  summary.measured_energy = metered_energy(leaders);
  summary.meters = meters_of(leaders);
  summary.table_energy = table_energy(job.run);
  summary.gears_in_effect = any_gear(job.run);
  summary.predicted = predicted_ratio(job.run);
  summary.planned = planned_ratio(job.run.plan);
  summary.all_in_effect = all_in_effect(job.run);
  if (summary.gears_in_effect) {
    summary.measured = measured_ratio(job.run);
    summary.whole_run = whole_run_ratio(job.run);
  }
  if (job.settings.meter == "none")
    leave_out_energy(summary);
  if (job.baseline)
    compare_with_baseline(job, summary);
  summary.remarks = remarks_of(job.run, leaders);
  summary.remarks.insert(summary.remarks.end(), job.remarks.begin(), job.remarks.end());
  return summary;
}

} // namespace hypermile::report
