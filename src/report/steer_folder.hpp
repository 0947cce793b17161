#pragma once

#include "session/run.hpp"

#include <string>

namespace hypermile::report {

/// Makes the folder that `hypermile steer --report` is to leave, if need be, and removes the report
/// of an earlier program from it, so that none stands beside the samples of another one. Throws
/// Error{config} with the system's reason.
void prepare_steer_folder(const std::string& folder);

/// Leaves steer.txt and steer.json in it. Throws Error{hardware} with the system's reason.
void write_steer(const std::string& program, const session::Outcome& outcome,
                 const std::string& folder);

} // namespace hypermile::report
