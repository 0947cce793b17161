#pragma once

#include "accounting/job_line.hpp"
#include "report/job_summary.hpp"

namespace hypermile::report {

/// What is kept of a job in a file of many jobs, but for what the report does not tell: step,
/// program, and when it ended.
accounting::JobLine job_line(const Job& job);

} // namespace hypermile::report
