#pragma once

#include "session/run.hpp"

#include <string>
#include <vector>

namespace hypermile::report {

/// What came of steering a program, in lines that fit a terminal.
std::string steer_text(const std::string& program, const session::Outcome& outcome);
/// hypermile/steer/1
std::string steer_json(const std::string& program, const session::Outcome& outcome);

/// The samples as JSON, hypermile/steer-timeline/1.
std::string timeline_json(const std::vector<session::Row>& rows, const steer::Space& space);

} // namespace hypermile::report
