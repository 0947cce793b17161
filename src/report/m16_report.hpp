#pragma once

#include "simulate/model_fit.hpp"

#include <string>
#include <vector>

namespace hypermile::report {

/// A table of [M16], and what came of it here.
struct M16Table {
  std::string title;
  std::vector<std::string> parameters; ///< of the model that was fitted to it
  simulate::Observations published{};
  simulate::Observations merpsys{}; ///< what the paper's simulator made of the same rows
  simulate::ModelFit fitted{};
  std::vector<Joules> idle{}; ///< by row: of nodes without processes, which draw 80 W
};

/// In Wh, for a terminal of 80 columns.
[[nodiscard]] std::string print_m16(const std::vector<M16Table>& tables);
/// hypermile/m16/1.
[[nodiscard]] std::string m16_json(const std::vector<M16Table>& tables);

} // namespace hypermile::report
