#pragma once

#include "accounting/step.hpp"

#include <string>

namespace hypermile::accounting {

/// The name of a file or folder with what it says of a step put in: %j the job's id, %s the step
/// ("0", "batch"), %u the user, %n the node, %% a %. Outside of Slurm %j is "nojob" and %s the
/// process `pid`. Names have a _ for each '/', so that no name leads to another folder.
/// Throws Error{config} for a % with anything else.
std::string put_in(const std::string& pattern, const Step& step, const std::string& node, int pid);

/// Throws as put_in() does.
void check_pattern(const std::string& pattern);

} // namespace hypermile::accounting
