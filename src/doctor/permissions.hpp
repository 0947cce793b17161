#pragma once

#include "doctor/examination.hpp"

#include <string>
#include <vector>

namespace hypermile::doctor {

/// What an administrator types once so that the users of a group may read the energy counters and
/// set the frequencies that are closed to the user who asks. No program gets more rights, nothing
/// runs on. The permissions come back after a boot (tmpfiles.d), when a counter's driver is loaded
/// and when a CPU comes online (udev). Empty where permissions are not what is missing.
std::vector<std::string> commands_to_permit(const Examination& examination, const Places& places);

} // namespace hypermile::doctor
