#include "backend/cpufreq/take.hpp"

namespace hypermile::cpufreq {

Taken take(const control::Place& place, const std::vector<int>& cpus, const std::string& guard,
           const control::Owner& owner) {
  Taken taken{inspect(place.sysfs, cpus), nullptr};
  if (!taken.machine.obstacle.empty())
    return taken;
  taken.lease = std::make_unique<control::Lease>(control::Lease::acquire(place, guard, owner));
  taken.machine = inspect(place.sysfs, cpus); // without what somebody left behind
  if (!taken.machine.obstacle.empty())
    taken.lease.reset();
  return taken;
}

} // namespace hypermile::cpufreq
