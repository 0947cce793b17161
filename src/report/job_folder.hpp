#pragma once

#include "report/job_summary.hpp"

#include <string>

namespace hypermile::report {

/// Leaves run.txt, run.json and, where events were recorded, loop.json in a folder, which is made
/// if need be. Throws Error{hardware} with the system's reason.
void write_job(const Job& job, const std::string& folder);

} // namespace hypermile::report
