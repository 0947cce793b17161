#pragma once

#include "accounting/job_line.hpp"
#include "accounting/totals.hpp"

#include <span>
#include <string>

namespace hypermile::cli {

/// A line for each job, in their order.
std::string jobs_as_text(std::span<const accounting::JobLine> jobs);

/// A line for each user, who saved most first, and one for all; and what the figures rest on.
std::string totals_as_text(const accounting::Totals& totals);

/// The totals as JSON, schema `hypermile/jobs/1` (docs/slurm.md).
std::string totals_as_json(const accounting::Totals& totals);

} // namespace hypermile::cli
