#pragma once

#include "doctor/examination.hpp"

#include <string>
#include <vector>

namespace hypermile::doctor {

/// What an administrator types once so that the users of a group may use the files that are closed
/// to the user who asks. No program gets more rights, and nothing keeps running. The permissions
/// come back after a boot (tmpfiles.d), when a driver is loaded, and when a CPU comes online
/// (udev). Empty where permissions are not what is missing.
std::vector<std::string> commands_to_permit(const Examination& examination);

} // namespace hypermile::doctor
