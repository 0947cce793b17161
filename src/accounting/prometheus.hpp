#pragma once

#include "accounting/totals.hpp"

#include <string>

namespace hypermile::accounting {

/// Totals by user in the text format of Prometheus, for the textfile collector of its
/// node_exporter; docs/slurm.md has the metrics. `last_ended_unix_s`: of the latest job; 0: there
/// is none.
std::string prometheus_text(const Totals& totals, double last_ended_unix_s);

} // namespace hypermile::accounting
