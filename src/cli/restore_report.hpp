#pragma once

#include "control/restore.hpp"

#include <string>
#include <vector>

namespace hypermile::cli {

/// What was done, for a user.
std::string restore_text(const std::vector<control::LeftBehind>& all);
/// The same as hypermile/restore/2, with what could not be done.
std::string restore_json(const std::vector<control::LeftBehind>& all);

} // namespace hypermile::cli
