#pragma once

#include "backend/topology/topology.hpp"
#include "control/backend.hpp"
#include "doctor/places.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hypermile::doctor {

/// What kind of machine this is, and who asks.
struct Host {
  std::string name;
  std::string kernel;           ///< its release; empty where it does not tell
  std::string user;             ///< who asks
  bool is_root = false;         ///< who may do what other users may not
  bool is_virtual = false;      ///< a guest of a hypervisor
  std::string hypervisor;       ///< which, if it tells
  std::string container;        ///< what kind of container this runs in; empty: none that shows
  std::string processor_vendor; ///< "GenuineIntel", "AuthenticAMD"; empty where it does not tell
};

/// Which CPUs a process that is started here may use.
struct Pinning {
  std::size_t packages = 0;
  std::size_t cores = 0;
  backend::topology::CpuSet online;
  backend::topology::CpuSet allowed;
  std::string cpuset;          ///< of the control group, as the kernel prints it; empty: none
  std::optional<double> quota; ///< CPUs' worth of time that the control group may use; none: all
  std::string why_not;         ///< the rest is not known; empty if it is
};

/// Whether somebody sets the gears of this node.
struct NodeUse {
  enum class State {
    free,
    in_use,      ///< by who is told in `what`
    left_behind, ///< settings of a run that ended and did not restore them
    unknown      ///< `what` says why
  };
  State state = State::free;
  std::string what; ///< for a user
};

/// An MPI that starts programs here.
struct Mpi {
  std::string flavour;  ///< "openmpi", "mpich"; "other": one that hypermile does not know
  std::string version;  ///< empty where it does not tell
  std::string launcher; ///< its mpirun: the plain one, if that is of this flavour
  std::string library;  ///< hypermile's own for it; empty for one that hypermile does not know
  bool library_installed = false; ///< with the one that loads it
};

/// What simulating needs.
struct Simulator {
  std::string version; ///< of SimGrid; empty where smpirun is missing
  std::string library; ///< hypermile's own
  bool library_installed = false;
};

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
  NodeUse node;
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

// Its parts, likewise:

Host examine_host(const Places& places);
Pinning examine_pinning(const Places& places);
NodeUse examine_node(const Places& places);
std::vector<Mpi> examine_mpi(const Places& places);
Simulator examine_simulator(const Places& places);

/// hypermile-guard, which restores what a run set; empty where it is not installed.
std::string find_guard(const Places& places);

} // namespace hypermile::doctor
