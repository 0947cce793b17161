#pragma once

#include "runtime/exchange/run_report.hpp"

#include <nlohmann/json_fwd.hpp>

namespace hypermile::report {

/// What every report says of a choice of gears: gears, model, prediction, certificate.
nlohmann::ordered_json decision_json(const runtime::Decision& decision);

} // namespace hypermile::report
