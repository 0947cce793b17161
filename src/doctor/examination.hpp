#pragma once

#include "backend/cpufreq/machine.hpp"
#include "backend/powercap/zones.hpp"
#include "doctor/host.hpp"
#include "doctor/node.hpp"
#include "doctor/pinning.hpp"
#include "doctor/places.hpp"
#include "doctor/software.hpp"

#include <string>
#include <vector>

namespace hypermile::doctor {

/// The energy counters of a machine.
struct Energy {
  std::string folder; ///< where they are looked for
  std::vector<backend::powercap::Zone> zones;
  std::string measures; ///< "2 packages, 2 DRAM"; empty: nothing
  std::string why_not;  ///< why nothing is measured; empty: something is
};

/// What a machine can measure and set, and what is missing.
struct Examination {
  Host host;
  Pinning pinning;
  Energy energy;
  cpufreq::Machine gears;
  Node node;
  std::string guard; ///< the program that restores gears; empty: not installed
  std::vector<Mpi> mpi;
  Simulator simulator;
  /// What an administrator types once as root to allow a group what is missing; empty: nothing
  /// would help.
  std::vector<std::string> administrator_runs;

  [[nodiscard]] bool measures_energy() const { return energy.why_not.empty(); }
  [[nodiscard]] bool sets_gears() const { return gears.obstacle.empty() && !guard.empty(); }
};

/// Looks at everything and changes nothing. What cannot be looked at is a finding, too: does not
/// throw for it.
Examination examine(const Places& places);

} // namespace hypermile::doctor
