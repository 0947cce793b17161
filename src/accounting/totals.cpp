#include "accounting/totals.hpp"

namespace hypermile::accounting {

void Total::add(const JobLine& job) {
  if (job.emulated) {
    ++emulated;
    return;
  }
  ++jobs;
  gears_set += job.gears_set ? 1 : 0;
  time += job.time;
  gear0_time += job.gear0_time.value_or(job.time);
  if (job.energy && job.gear0_energy && job.energy_by) {
    Energy& sum = *job.energy_by == EnergyBy::meters ? measured : estimated;
    ++sum.jobs;
    sum.used += *job.energy;
    sum.gear0 += *job.gear0_energy;
  }
  if (!job.gears_set && job.possible_saving) {
    ++could_save;
    possible_saving += (*job.possible_saving - possible_saving) / static_cast<double>(could_save);
  }
}

Total::Energy Total::energy() const {
  return {.jobs = measured.jobs + estimated.jobs,
          .used = measured.used + estimated.used,
          .gear0 = measured.gear0 + estimated.gear0};
}

std::optional<double> Total::saving() const {
  const Energy sum = energy();
  return sum.gear0 > Joules{} ? std::optional(sum.saved() / sum.gear0) : std::nullopt;
}

double Total::slowdown() const { return gear0_time > Seconds{} ? time / gear0_time - 1 : 0; }

Totals totals_of(std::span<const JobLine> jobs) {
  Totals totals;
  for (const JobLine& job : jobs) {
    totals.all.add(job);
    totals.by_user[job.step.user].add(job);
  }
  return totals;
}

} // namespace hypermile::accounting
