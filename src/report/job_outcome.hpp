#pragma once

#include "report/job_summary.hpp"

#include <string>

namespace hypermile::report {

/// Why no gears were chosen, or why those that were are not, or no longer, in effect: a sentence or
/// two. Empty where there is nothing to explain.
std::string outcome_of(const Job& job, const JobSummary& summary);

/// Whether a run that began in planned gears did what was expected, without a full stop.
std::string course_of_plan(const runtime::RunReport& run);

} // namespace hypermile::report
