#pragma once

#include "simulate/model_fit.hpp"

#include <string>

namespace hypermile::report {

/// Estimates with intervals, and a line per run: for a terminal of 80 columns.
[[nodiscard]] std::string print_model_fit(const simulate::ModelFitRequest& request,
                                          const simulate::Observations& observations,
                                          const simulate::ModelFit& fitted);
/// hypermile/fit/1.
[[nodiscard]] std::string model_fit_json(const simulate::ModelFitRequest& request,
                                         const simulate::Observations& observations,
                                         const simulate::ModelFit& fitted);

} // namespace hypermile::report
