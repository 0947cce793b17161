#include "report/job_summary.hpp"

#include "report/loop_text.hpp"
#include "report/wait_gear.hpp"
#include "runtime/decide/time_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

namespace hypermile::report {
namespace {

using runtime::RankReport;
using runtime::RunReport;

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

/// Each with its nodes, where there are several: "1 package on each of 2 nodes; 2 packages on n3".
std::vector<std::string> meters_of(const Leaders& leaders) {
  std::map<std::string, std::vector<std::string>> nodes_by_meter;
  for (const RankReport* leader : leaders.all())
    if (leader->access && !leader->access->meter.empty())
      nodes_by_meter[leader->access->meter].push_back(leader->node.name);
  std::vector<std::string> meters;
  for (const auto& [meter, nodes] : nodes_by_meter)
    if (nodes.size() > 1)
      meters.push_back(fmt::format("{} on each of {} nodes", meter, nodes.size()));
    else
      meters.push_back(leaders.all().size() > 1 ? fmt::format("{} on {}", meter, nodes[0]) : meter);
  return meters;
}

void describe_nodes(const Leaders& leaders, JobSummary& summary) {
  summary.nodes = leaders.all().size();
  for (const RankReport* leader : leaders.all()) {
    const auto& type = leader->node.type;
    summary.gears_known = summary.gears_known && (type.frequencies_known || type.gears.size() > 1);
    if (leader->access) {
      summary.emulated = summary.emulated || leader->access->backend == "emulated";
      summary.power_assumed = summary.power_assumed || leader->access->power_assumed;
      const std::string& assumed = leader->access->assumed;
      if (!assumed.empty() && std::ranges::find(summary.assumed, assumed) == summary.assumed.end())
        summary.assumed.push_back(assumed);
    }
  }
}

void add_overhead(const RunReport& run, JobSummary& summary) {
  summary.at_ends = time_at_ends(run);
  for (const RankReport& rank : run.ranks) {
    summary.overhead = std::max(summary.overhead, rank.overhead);
    summary.watching = std::max(summary.watching, rank.watching);
  }
  if (const Seconds without = summary.time - own_time(run); without > Seconds{})
    summary.own_ratio = (summary.time + summary.at_ends) / without;
}

bool is_contended(const RunReport& run) {
  const auto taken = taken_by_others(run);
  return taken && taken->is_much();
}

std::optional<Joules> complete(const std::optional<Job::External>& external) {
  return external && external->coverage >= enough_coverage ? std::optional(external->energy)
                                                           : std::nullopt;
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

/// Remarks in the order in which they first came, each with its nodes.
class Remarks {
public:
  void add(const std::string& remark, const std::string& node) {
    auto known = std::ranges::find(all_, remark, &Remark::text);
    if (known == all_.end())
      known = all_.insert(all_.end(), {remark, {}});
    if (std::ranges::find(known->nodes, node) == known->nodes.end())
      known->nodes.push_back(node);
  }

  [[nodiscard]] std::vector<std::string> texts(std::size_t nodes) const {
    std::vector<std::string> texts;
    for (const Remark& remark : all_)
      texts.push_back(remark.nodes.size() == nodes ? remark.text : with_nodes(remark));
    return texts;
  }

private:
  struct Remark {
    std::string text;
    std::vector<std::string> nodes;
  };

  /// "a: ...", or "a, b, c and 5 more nodes: ...".
  static std::string with_nodes(const Remark& remark) {
    constexpr std::size_t most = 3;
    const std::size_t shown = std::min(most, remark.nodes.size());
    const auto end = remark.nodes.begin() + static_cast<std::ptrdiff_t>(shown);
    const std::size_t more = remark.nodes.size() - shown;
    return fmt::format("{}{}: {}", fmt::join(remark.nodes.begin(), end, ", "),
                       more == 0 ? ""
                                 : fmt::format(" and {} more node{}", more, more == 1 ? "" : "s"),
                       remark.text);
  }

  std::vector<Remark> all_;
};

/// What could not be done in a job, and why: each once, with the nodes concerned unless it is all.
std::vector<std::string> remarks_of(const RunReport& run, const Leaders& leaders) {
  Remarks remarks;
  for (const RankReport* leader : leaders.all())
    if (leader->access)
      for (const std::string& remark : leader->access->remarks)
        remarks.add(remark, leader->node.name);
  for (const RankReport* leader : leaders.all())
    if (const std::string remark = wait_gear_remark(*leader); !remark.empty())
      remarks.add(remark, leader->node.name);
  for (const RankReport& rank : run.ranks)
    for (const std::string& remark : {rank.failure, rank.meter_dropped})
      if (!remark.empty())
        remarks.add(remark, rank.node.name);
  auto texts = remarks.texts(leaders.all().size());
  if (runtime::is_uncoupled(run))
    texts.push_back(fmt::format(
        "Gears were chosen for an iteration of each cluster. How many iterations the "
        "program needs depends on the gears and is not known, so nothing is told of "
        "the whole run unless it is measured (--baseline).{}",
        iterations_text(run).empty() ? "" : fmt::format(" Ranks did {}.", iterations_text(run))));
  return texts;
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

std::string energy_by(const Ratio& ratio, EnergyBasis basis, const JobSummary& s) {
  if (!ratio.energy || basis != EnergyBasis::tables)
    return "";
  if (const std::string assumed = assumed_text(s); !assumed.empty())
    return fmt::format("; energy {}", assumed);
  if (s.power_assumed)
    return "; energy by assumed power";
  return s.power_learnt ? "; energy by the power that was learnt" : "; energy by power tables";
}

std::string assumed_text(const JobSummary& s) {
  return s.assumed.empty() ? "" : fmt::format("assumed: {}", fmt::join(s.assumed, ", "));
}

bool is_generic(const JobSummary& s) {
  return std::ranges::find(s.assumed, runtime::NodeAccess::generic) != s.assumed.end();
}

JobSummary summarize(const Job& job) {
  const Leaders leaders(job.run);
  JobSummary summary;
  summary.time = time_of(job.run);
  describe_nodes(leaders, summary);
  summary.power_learnt = std::ranges::any_of(job.run.power, &runtime::LearntPower::in_use);
  add_overhead(job.run, summary);
  summary.taken_by_others = taken_by_others(job.run);
  summary.contended = is_contended(job.run) || (job.baseline && is_contended(*job.baseline));
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

std::string duration(Seconds time) {
  if (time >= Seconds{1})
    return fmt::format("{:.1f} s", time.value());
  const double ms = 1e3 * time.value();
  return ms >= 10 ? fmt::format("{:.0f} ms", ms) : fmt::format("{:.2g} ms", ms);
}

} // namespace hypermile::report
