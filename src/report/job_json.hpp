#pragma once

#include "report/job_summary.hpp"

#include <string>

namespace hypermile::report {

/// The same as job_text() as JSON, schema `hypermile/run/1`; docs/run.md describes every key.
std::string job_json(const Job& job);

} // namespace hypermile::report
