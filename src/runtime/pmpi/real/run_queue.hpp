#pragma once

#include "runtime/pmpi/real/job_communicators.hpp"
#include "units/quantity.hpp"

#include <functional>

namespace hypermile::runtime::pmpi {

/// Tells how long the calling thread has waited for its core while other programs had it; for that
/// thread only, takes a microsecond or two, never falls. Empty where the system does not tell, and
/// where there are more ranks than CPUs for them, as they wait for each other then. Collective.
std::function<Seconds()> waiting_for_others(const JobCommunicators& job);

} // namespace hypermile::runtime::pmpi
