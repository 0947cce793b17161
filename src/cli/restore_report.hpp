#pragma once

#include "control/restore.hpp"

#include <string>

namespace hypermile::cli {

/// What was done, for a user.
std::string restore_text(const control::LeftBehind& left);
/// The same as hypermile/restore/1, with what could not be done.
std::string restore_json(const control::LeftBehind& left, const control::Place& place);

} // namespace hypermile::cli
