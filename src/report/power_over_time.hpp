#pragma once

#include "runtime/exchange/run_report.hpp"

#include <nlohmann/json_fwd.hpp>

#include <vector>

namespace hypermile::report {

/// Average power of all nodes together between two moments.
struct PowerStep {
  Seconds begin; ///< since MPI_Init; of an external meter, since the command began
  Seconds end;
  Watts power;
};

/// From the energy that each node had used up at every change of its gear, and whenever else its
/// meter was read; a few hundred steps at most. Empty: the energy of some node is not known.
[[nodiscard]] std::vector<PowerStep> power_over_time(const runtime::RunReport& run);
/// As an array of `begin_s`, `end_s` and `power_w`.
[[nodiscard]] nlohmann::ordered_json power_steps_json(const std::vector<PowerStep>& steps);
/// power_over_time() so.
[[nodiscard]] nlohmann::ordered_json power_json(const runtime::RunReport& run);

} // namespace hypermile::report
