#pragma once

#include "control/backend.hpp"
#include "doctor/host.hpp"
#include "doctor/node.hpp"
#include "doctor/pinning.hpp"
#include "doctor/places.hpp"
#include "doctor/software.hpp"

#include <string>
#include <vector>

namespace hypermile::doctor {

/// A backend or a meter, and what it could do here.
struct Capability {
  std::string name;
  bool automatic = false; ///< hypermile takes it without being told to
  control::Finding finding;

  [[nodiscard]] bool usable() const { return finding.why_not.empty(); }
};

/// What a machine can measure and set, and what is missing.
struct Examination {
  Host host;
  Pinning pinning;
  std::vector<Capability> meters;
  std::vector<Capability> backends;
  Node node;
  std::string guard; ///< the program that restores gears; empty: not installed
  std::vector<Mpi> mpi;
  Simulator simulator;
  /// What an administrator types once as root to allow a group what is missing; empty: nothing
  /// would help.
  std::vector<std::string> administrator_runs;

  [[nodiscard]] bool measures_energy() const;
  [[nodiscard]] bool sets_gears() const;
};

/// Looks at everything and changes nothing. What cannot be looked at is a finding, too: does not
/// throw for it.
Examination examine(const Places& places);

} // namespace hypermile::doctor
