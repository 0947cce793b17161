#pragma once

#include "launch/job.hpp"
#include "report/job_summary.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hypermile::cli {

/// What a user should know before the job starts: that there is no log of the external meter yet.
/// Empty: there is one, or no such meter was asked for.
std::string missing_log(const std::string& meter);

/// Of all nodes that the log of an external meter names, while the command ran. None where no such
/// meter was asked for, and where its log cannot be used: then there is a remark.
std::optional<report::Job::External> external_energy(const std::string& meter,
                                                     const launch::Ended& ended,
                                                     std::vector<std::string>& remarks);

} // namespace hypermile::cli
