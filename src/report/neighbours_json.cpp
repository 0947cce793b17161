#include "report/neighbours.hpp"

#include "io/plan_json.hpp"

#include <nlohmann/json.hpp>

namespace hypermile::report {

using nlohmann::ordered_json;

ordered_json neighbour_json(const std::optional<select::Neighbour>& neighbour) {
  if (!neighbour)
    return nullptr;
  return {{"gear", neighbour->gear},
          {"time_s", neighbour->prediction.time.value()},
          {"energy_j", neighbour->prediction.energy.value()},
          {"time_percent", 100 * neighbour->time_change},
          {"energy_percent", 100 * neighbour->energy_change},
          {"distance_points", 100 * neighbour->distance_change},
          {"gain", neighbour->gain},
          {"keeps_bounds", neighbour->keeps_bounds},
          {"better", neighbour->better}};
}

void add_aim_and_figures(const select::Request& request, const select::Neighbourhood& neighbourhood,
                         ordered_json& json) {
  const model::Prediction& present = neighbourhood.present.prediction;
  const ordered_json asked = io::request_to_json({}, request);
  json["objective"] = select::name_of(request.objective);
  for (const char* key :
       {"weight", "max_slowdown", "energy_budget_j", "average_power_cap_w", "peak_power_cap_w"})
    json[key] = asked[key];
  json["keeps_bounds"] = neighbourhood.keeps_bounds;
  json["time_s"] = present.time.value();
  json["energy_j"] = present.energy.value();
  json["p_norm"] = present.p_norm;
  json["e_norm"] = present.e_norm;
  json["distance"] = present.distance;
}

} // namespace hypermile::report
