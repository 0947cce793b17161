#pragma once

#include "runtime/exchange/run_report.hpp"

#include <nlohmann/json_fwd.hpp>

namespace hypermile::report {

/// What the ranks did in a few iterations of the loop, in gear 0 and in the gears that were chosen,
/// as the dependency model has it: schema `hypermile/loop/1` (docs/run-json.md). Throws
/// Error{model} for events that make no sense.
[[nodiscard]] nlohmann::ordered_json loop_course(const runtime::RunReport& run,
                                                 const runtime::LoopExample& example);

} // namespace hypermile::report
