#pragma once

#include "study/outcome.hpp"

#include <string>

namespace hypermile::report {

/// A table for each program, class and number of ranks, with a line for each platform and method;
/// cells that failed or are missing; the mean of each method. Fits a terminal, unless names are
/// long.
std::string print_sweep(const study::Results& results);

/// Schema `hypermile/sweep/1` (docs/sweep.md). A row per cell and run; of a cell that failed or is
/// missing one row.
std::string sweep_json(const study::Results& results);

/// The same rows as comma-separated values, the first line with the names of the columns.
std::string sweep_csv(const study::Results& results);

} // namespace hypermile::report
