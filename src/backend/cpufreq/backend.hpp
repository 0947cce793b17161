#pragma once

#include "control/backend.hpp"

/// The frequencies of this machine's processors, by Linux's cpufreq.
namespace hypermile::cpufreq {

control::Finding probe(const control::Access& access);

/// Takes the lease of the node and restores first what somebody left behind. Where `access` has
/// gears, these are set in place of the machine's own. Throws as control::Lease::acquire().
control::OpenGears open(const control::Access& access);

/// Of the fastest of these CPUs, at this moment; none where Linux does not tell.
std::optional<Hertz> present_frequency(const control::Access& access);

} // namespace hypermile::cpufreq
