#pragma once

#include "runtime/exchange/run_report.hpp"

#include <string>
#include <vector>

namespace hypermile::report {

/// What is known of the program's main loop, in lines that fit a terminal. At least one rank.
/// `gears_were_chosen`: that may have been so without a loop on every rank.
std::string loop_text(const std::vector<runtime::RankReport>& ranks, bool gears_were_chosen);

/// "12 to 15 iterations": of the main loop, over the ranks; empty: some have none.
std::string iterations_text(const runtime::RunReport& run);

/// A line for each type of node: how many of them are in which gear at the end of the run.
std::string gears_text(const std::vector<runtime::RankReport>& ranks);

} // namespace hypermile::report
