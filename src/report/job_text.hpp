#pragma once

#include "report/job_summary.hpp"

#include <string>

namespace hypermile::report {

/// A job as its user reads of it, in lines that fit a terminal.
std::string job_text(const Job& job);

} // namespace hypermile::report
