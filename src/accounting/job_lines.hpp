#pragma once

#include "accounting/job_line.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace hypermile::accounting {

/// Reads the lines of a file, in its order. An empty file has no jobs. Throws Error{config} with
/// file and line, also where the last line has no end: a job that is just being written, or a full
/// disk.
std::vector<JobLine> parse_job_lines(std::string_view text, const std::string& file);

} // namespace hypermile::accounting
