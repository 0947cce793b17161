// Of a build without SimGrid.

#include "report/simulation_details.hpp"

#include <nlohmann/json.hpp>

namespace hypermile::report {

nlohmann::ordered_json simulation_details(const std::string&) {
  return {{"runs", nlohmann::ordered_json::array()},
          {"missing",
           {"Ranks, power over time and timeline: this hypermile was built without SimGrid."}}};
}

} // namespace hypermile::report
