#pragma once

#include "control/affinity.hpp"
#include "units/quantity.hpp"

#include <map>
#include <optional>
#include <string>

namespace hypermile::backend::process {

/// How long the threads of a program waited for CPUs that other programs used. They wait for each
/// other, too, where there are more threads than CPUs: only as much counts as others have used
/// these CPUs meanwhile, by /proc/stat.
class Contention {
public:
  explicit Contention(std::string proc = "/proc") : proc_(std::move(proc)) {}

  /// `computed`, `waited`: CPU time of the program and time on run queues, each since any origin;
  /// neither falls. `cpus`: where it has run since the last call; none: anywhere.
  void update(const std::optional<control::CpuSet>& cpus, Seconds computed, Seconds waited);
  /// Since the first update. Never falls; stays 0 where the system does not tell.
  [[nodiscard]] Seconds total() const { return total_; }

private:
  struct Reading {
    std::map<std::size_t, Seconds> busy; ///< by CPU
    Seconds computed;
    Seconds waited;
  };
  std::string proc_;
  std::optional<Reading> last_;
  Seconds ahead_;  ///< CPU time of others, which coarse clocks may let fall for a moment
  Seconds others_; ///< likewise, but never falling
  Seconds used_;   ///< by others, for which nobody is known to have waited yet
  Seconds waited_; ///< for what nobody is known to have used yet
  Seconds total_;
};

} // namespace hypermile::backend::process
