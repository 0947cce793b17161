#pragma once

#include "report/job_ratios.hpp"

#include <string>
#include <vector>

namespace hypermile::report {

/// What could not be done in a job, and why: each once, with the nodes concerned unless it is all.
std::vector<std::string> remarks_of(const runtime::RunReport& run, const Leaders& leaders);

} // namespace hypermile::report
