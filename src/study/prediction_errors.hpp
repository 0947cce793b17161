#pragma once

#include "study/outcome.hpp"

#include <string>
#include <vector>

namespace hypermile::study {

/// How far a model is from the simulated runs that it predicts, as fractions of what was simulated.
struct PredictionErrors {
  std::string model; ///< "cluster" or "dependency"
  double largest_time = 0;
  double mean_time = 0;
  double largest_energy = 0;
  double mean_energy = 0;
};

/// Over all runs but the first, the unscaled one, from which the models predict. Only the models
/// that predict all of these runs.
[[nodiscard]] std::vector<PredictionErrors> prediction_errors(const std::vector<Run>& runs);

/// The largest and the mean errors over several programs: of those models that predict all of them.
[[nodiscard]] std::vector<PredictionErrors>
over_all(const std::vector<std::vector<PredictionErrors>>& programs);

} // namespace hypermile::study
