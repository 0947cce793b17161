#pragma once

#include "report/job_summary.hpp"

#include <string>

namespace hypermile::report {

/// What the run saved and what it cost, how sure that is, and whether the bound on slowdown was
/// kept: one sentence. A run that cost more than it saved, or missed its bound, is called a
/// failure. Empty where no gears were to be chosen or set.
std::string verdict_of(const Job& job, const JobSummary& summary);

} // namespace hypermile::report
