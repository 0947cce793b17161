#pragma once

#include "units/quantity.hpp"

#include <optional>
#include <string>
#include <vector>

/// The energy counters that Linux shows in /sys/class/powercap: RAPL of Intel and AMD processors.
namespace hypermile::backend::powercap {

/// What a counter counts. A package's own figure contains its cores and graphics (`core`,
/// `uncore`), which are no domains here, but not its memory. The platform contains all of it.
/// [Intel SDM 3B, "RAPL Domains and Platform Specificity"; Linux powercap.rst]
enum class Domain { package, dram, platform };

struct Zone {
  Domain domain;
  /// "package-0", "package-0 dram", "psys"; the same counter has the same name. Of a zone whose
  /// name cannot be read: that of its folder, as if it were a processor that cannot be read.
  std::string name;
  std::string folder; ///< of its files
  int error = 0;      ///< errno where the counter cannot be read, else 0
};

/// The zones below the root of a sysfs ("/sys"), packages first, by name. A counter that two
/// drivers show (intel-rapl and intel-rapl-mmio, say) is there once: the one that can be read,
/// else the first. Empty if the machine has none.
std::vector<Zone> find_zones(const std::string& sysfs);

/// The same, as often as drivers show them; the processor's own registers first.
std::vector<Zone> all_zones(const std::string& sysfs);

/// Why a counter cannot be read, as a user reads it. Linux has one error for all that a driver may
/// have met.
std::string why_unreadable(int error);

/// The most that the zone may draw by its limits, the short ones included; none: the kernel does
/// not say, as of processors of AMD.
std::optional<Watts> limit_of(const Zone& zone);

/// Where find_zones() looks.
std::string zones_folder(const std::string& sysfs);

} // namespace hypermile::backend::powercap
