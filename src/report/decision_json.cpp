#include "report/decision_json.hpp"

#include "runtime/decide/time_model.hpp"

#include <nlohmann/json.hpp>

namespace hypermile::report {

nlohmann::ordered_json decision_json(const runtime::Decision& decision) {
  using nlohmann::ordered_json;
  return {{"gears", decision.gears},
          {"before_loop", decision.before_loop},
          {"phase", decision.phase},
          {"again", decision.again},
          {"time_model", runtime::name_of(decision.time_model)},
          {"iteration_time_s", decision.baseline.time.value()},
          {"iteration_energy_j", decision.baseline.energy.value()},
          {"predicted_iteration_time_s", decision.prediction.time.value()},
          {"predicted_iteration_energy_j", decision.prediction.energy.value()},
          {"predicted_distance_points", 100 * decision.prediction.distance},
          {"certificate",
           {{"kind", decision.exact ? "exact" : "bound"},
            {"gap", decision.gap ? ordered_json(*decision.gap) : ordered_json()}}},
          {"declined", decision.declined},
          {"given_up", decision.violated}};
}

} // namespace hypermile::report
