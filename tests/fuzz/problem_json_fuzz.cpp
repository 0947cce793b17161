// libFuzzer: whatever bytes claim to be a PROBLEM.json are refused with an Error, or are a problem
// that can be solved. Anything else - a crash, a sanitizer's report, an endless loop - is a bug.

#include "io/problem_json.hpp"
#include "select/selector.hpp"
#include "units/error.hpp"

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

using namespace hypermile;

/// The exact plan must be no worse than all gears at full speed.
void solve(const model::Problem& problem) {
  for (const auto objective : {select::Objective::maxdist, select::Objective::energy}) {
    const select::Plan plan = select::choose(problem, {.objective = objective});
    if (plan.gears.size() != problem.unit_count())
      std::abort();
    for (std::size_t unit = 0; unit < plan.gears.size(); ++unit)
      if (plan.gears[unit] >= problem.gear_count(unit))
        std::abort();
    const std::vector<model::Gear> fastest(problem.unit_count(), 0);
    if (objective == select::Objective::energy &&
        plan.prediction.energy > predict(problem, fastest).energy * (1 + 1e-6))
      std::abort();
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    solve(io::parse_problem({reinterpret_cast<const char*>(data), size}, "fuzz"));
  } catch (const Error&) {
    // refused, as it may be
  }
  return 0;
}
