#pragma once

#include "backend/cpufreq/inspection.hpp"

#include <optional>
#include <vector>

namespace hypermile::cpufreq {

/// At which a policy can run, fastest first, within what it is limited or pinned to now: those that
/// the driver lists, else steps of 100 MHz from the highest on. Where turbo is off, without its
/// entry. Throws Error{hardware}.
std::vector<Hertz> read_frequencies(const Policy& policy, std::optional<bool> turbo);

/// Whether the governor powersave holds the policy at its lowest frequency. Throws as above.
bool holds_lowest(const Policy& policy);

} // namespace hypermile::cpufreq
