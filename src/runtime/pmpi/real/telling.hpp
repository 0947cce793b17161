#pragma once

#include "runtime/exchange/run_report.hpp"
#include "runtime/settings.hpp"

#include <string>

namespace hypermile::runtime::pmpi {

/// Hands a text to the launcher, if it is on this node, still runs, and there is space for it.
/// Whether it has it.
bool reached_launcher(const std::string& text, const std::string& file);

/// Rank 0 at the end of the run: adds it to the file of jobs (HYPERMILE_JOBS), and gives the report
/// to the launcher; where there is none, to whoever reads the program's stderr, all of it or the
/// verdict (HYPERMILE_SHOW), and to the folders of HYPERMILE_REPORT and HYPERMILE_STEP_REPORT
/// ("none": to none). What cannot be done is told on stderr.
void tell(RunReport run, const Settings& settings);

} // namespace hypermile::runtime::pmpi
