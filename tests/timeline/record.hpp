#pragma once

#include "model/timeline.hpp"
#include "runtime/exchange/run_report.hpp"

#include <string>
#include <vector>

namespace hypermile::test {

/// What a run of a program leaves behind.
struct Recorded {
  model::Timeline timeline;
  runtime::RunReport report;
};

/// Runs a program of the tests, or an app ("apps/smpi/cg"), unscaled on so many nodes of Table
/// 3.1. Fails the test where the program fails.
Recorded record(const std::string& program, int ranks, const std::vector<std::string>& arguments);

} // namespace hypermile::test
