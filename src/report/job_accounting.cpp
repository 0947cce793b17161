#include "report/job_accounting.hpp"

#include "report/verdict.hpp"

namespace hypermile::report {
namespace {

using accounting::EnergyBy;
using accounting::JobLine;

void add_energy(JobLine& line, const JobSummary& s) {
  if (s.measured_energy) {
    line.energy_by = EnergyBy::meters;
    line.energy = s.measured_energy;
  } else if (s.table_energy) {
    line.energy_by = s.power_assumed ? EnergyBy::assumption : EnergyBy::power_tables;
    if (!s.power_assumed) // joules of assumed power mean nothing
      line.energy = s.table_energy;
  }
}

/// What the gears made of the whole run, or hypermile itself where there were none.
std::optional<Ratio> against_gear0(const JobSummary& s) {
  if (s.gears_in_effect)
    return s.whole_run;
  constexpr double as_much_energy = 1;
  return Ratio{s.own_ratio, as_much_energy};
}

} // namespace

JobLine job_line(const Job& job) {
  const JobSummary s = summarize(job);
  JobLine line{.ranks = job.run.ranks.size(),
               .emulated = s.emulated,
               .time = s.time,
               .gears_set = s.gears_in_effect};
  const Leaders leaders(job.run);
  for (const runtime::RankReport* leader : leaders.all())
    line.nodes.push_back(leader->node.name);
  add_energy(line, s);
  if (const auto ratio = against_gear0(s)) {
    line.slowdown = ratio->time - 1;
    line.gear0_time = line.time / ratio->time;
    if (ratio->energy && line.energy_by) {
      line.saving = 1 - *ratio->energy;
      if (line.energy)
        line.gear0_energy = *line.energy / *ratio->energy;
    }
  }
  if (!s.gears_in_effect && s.predicted) {
    line.possible_slowdown = s.predicted->time - 1;
    if (s.predicted->energy)
      line.possible_saving = 1 - *s.predicted->energy;
  }
  line.method = job.settings.method;
  line.objective = job.settings.objective;
  line.max_slowdown = job.settings.max_slowdown;
  line.verdict = verdict_of(job, s);
  return line;
}

} // namespace hypermile::report
