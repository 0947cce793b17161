#pragma once

#include "simulate/experiment.hpp"

#include "estimate/least_squares.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hypermile::simulate {

/// What was measured of one run of a program.
struct Observation {
  std::size_t ranks = 1;
  std::map<std::string, double> parameters{}; ///< of the model, where they differ between runs
  double measured = 0;                        ///< s or J
};

/// What is measured.
enum class Measured {
  time,  ///< s
  energy ///< J, of nodes with ranks
};

inline constexpr std::size_t most_ranks = 100'000;

/// A table of runs: a column `ranks`, one of `time_s`, `energy_j` and `energy_wh`, and columns that
/// are named after parameters of the model.
struct Observations {
  Measured what = Measured::time;
  std::vector<Observation> rows;
};
/// Throws Error{config} with file and line. `to`: which of time and energy, where the file has
/// both.
[[nodiscard]] Observations parse_observations(std::string_view text, const std::string& file,
                                              std::optional<Measured> to);

/// Which parameters are to be estimated, and where the search begins: `experiment.parameters`, or
/// the model's own values.
struct ModelFitRequest {
  Experiment experiment; ///< model, platform and fixed parameters; ranks are those of the rows
  std::vector<std::string> parameters;
  bool with_idle_nodes = false; ///< the energy is that of nodes without ranks, too
};

struct ModelFit {
  std::vector<double> start; ///< by parameter
  estimate::Fit fit;
};

/// Fits the model without SimGrid: see run_uncontended(). Throws as that and estimate::fit() do.
[[nodiscard]] ModelFit fit_model(const ModelFitRequest& request, const Observations& observations,
                                 const Installation& installation, const Listener& listener);

} // namespace hypermile::simulate
