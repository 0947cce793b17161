#pragma once

#include "model/gear.hpp"
#include "units/quantity.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hypermile::cpufreq {

/// CPUs that have one frequency together, as Linux sees them: a cpufreq policy.
struct Policy {
  std::string folder;     ///< <root>/devices/system/cpu/cpufreq/policy3
  std::vector<int> cpus;  ///< related_cpus, ascending; some may be offline
  bool online = true;     ///< false: all of them are offline, and nothing else is known
  std::string governor;   ///< the present one
  bool userspace = false; ///< the governor of this name, which keeps a frequency, may be used
  Hertz lowest{};         ///< scaling_min_freq, as it is now
  /// At which it can run, fastest first, within scaling_max_freq as it is now.
  std::vector<Hertz> frequencies;
};

/// The frequencies of this node, of the CPUs that were asked for.
struct Inspection {
  std::string driver; ///< "acpi-cpufreq", "intel_pstate", ...; empty: Linux sets no frequencies
  std::vector<Policy> policies;
  /// Those of its fastest policy that has several. If none has, the one frequency of the fastest:
  /// then there is an obstacle. None: no frequency is known.
  std::optional<model::GearTable> gears;
  /// Whether turbo is on, so that the frequency in the first gears depends on the load of all
  /// cores; none: it cannot be told.
  std::optional<bool> turbo;
  std::string obstacle; ///< why gears cannot be set; empty: they can
  std::string advice;   ///< what to do about it; may be empty
};

/// `root`: "/sys", or a folder like it. `cpus`: those that matter, e.g. on which the ranks of this
/// node may run; empty: all. Never throws for what a machine lacks: then there is an obstacle.
/// Call it after Lease::acquire(), which restores what a killed run left.
Inspection inspect(const std::string& root, const std::vector<int>& cpus);

} // namespace hypermile::cpufreq
