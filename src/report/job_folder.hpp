#pragma once

#include "report/job_summary.hpp"

#include <string>

namespace hypermile::report {

/// Leaves run.txt and run.json in a folder, which is made if need be. Throws Error{hardware} with
/// the system's reason.
void write_job(const Job& job, const std::string& folder);

} // namespace hypermile::report
