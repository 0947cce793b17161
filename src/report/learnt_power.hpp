#pragma once

#include "runtime/exchange/run_report.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace hypermile::report {

/// What nodes draw in each gear, as far as their meters taught it, a table per type; empty where
/// nothing was learnt.
std::string learnt_power_text(const runtime::RunReport& run);

nlohmann::ordered_json learnt_power_json(const runtime::RunReport& run);

} // namespace hypermile::report
