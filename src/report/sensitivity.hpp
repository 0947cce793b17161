#pragma once

#include "runtime/exchange/run_report.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace hypermile::report {

/// How computation reacts to gears, as far as that was learnt; empty where nothing is known to
/// react less than in full.
std::string sensitivity_text(const runtime::RunReport& run);

nlohmann::ordered_json sensitivities_json(const runtime::RunReport& run);

} // namespace hypermile::report
