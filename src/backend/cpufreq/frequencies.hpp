#pragma once

#include "backend/cpufreq/inspection.hpp"

#include <optional>
#include <vector>

namespace hypermile::cpufreq {

/// At which a policy can run, fastest first, within scaling_max_freq as it is now: those that the
/// driver lists, else steps of 100 MHz from the highest on. Where turbo is off, without its entry.
/// Throws Error{hardware}.
std::vector<Hertz> read_frequencies(const Policy& policy, std::optional<bool> turbo);

} // namespace hypermile::cpufreq
