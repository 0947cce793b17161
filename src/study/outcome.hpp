#pragma once

#include "study/study.hpp"

#include "units/quantity.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace hypermile::study {

/// What a model says that a run takes.
struct Prediction {
  Seconds time;
  Joules energy;
};

/// A run of a cell, in simulated time and energy.
struct Run {
  std::string method; ///< "none": unscaled, in gear 0
  Seconds time;
  Joules energy;
  std::vector<std::size_t> gears;            ///< of the nodes, at the end of the run
  std::optional<Prediction> by_cluster{};    ///< by the cluster model; none: it predicts nothing
  std::optional<Prediction> by_dependency{}; ///< by the dependency model
  std::vector<std::size_t> iterations{};     ///< of the main loop, by rank; empty: not known
};

/// A run against the unscaled one of its cell, as fractions.
struct Effect {
  double slowdown; ///< T / T_0 - 1
  double saving;   ///< 1 - E / E_0
  double distance; ///< T_0 / T - E / E_0: [F16] Eq. 3.5
};
[[nodiscard]] Effect effect_of(const Run& run, const Run& unscaled);

/// What became of a cell.
struct Outcome {
  enum class Status { missing, failed, done };

  Status status = Status::missing;
  std::string reason;    ///< why it failed; empty unless it did
  Seconds took;          ///< how long this machine worked on it; 0 where it is missing
  std::vector<Run> runs; ///< the unscaled one first; none unless it is done
};

[[nodiscard]] const char* name_of(Outcome::Status status);

/// The cells of a study, or some of them, with what became of each.
struct Results {
  std::string study; ///< its name
  std::vector<Cell> cells;
  std::vector<Outcome> outcomes; ///< one per cell

  [[nodiscard]] std::size_t count(Outcome::Status status) const;
};

/// A method over all cells that are done.
struct MethodMean {
  std::string method;
  std::size_t cells = 0;
  Effect mean{};
};
/// The methods in the order in which they come, without the unscaled runs.
[[nodiscard]] std::vector<MethodMean> means(const Results& results);

} // namespace hypermile::study
