#pragma once

#include "units/quantity.hpp"

#include <string>
#include <vector>

namespace hypermile::control {

/// Runs a program without a shell, with PATH as its only variable, and waits for its end. Throws
/// Error{hardware} with what it said on stderr where its exit code is not 0, where it cannot be
/// started, and where it takes longer than `patience`; it is killed then.
void run_command(const std::vector<std::string>& words, Seconds patience = Seconds{10});

} // namespace hypermile::control
