#pragma once

#include "model/dependency/prediction.hpp"
#include "simulate/experiment.hpp"

#include <memory>
#include <span>
#include <string>

namespace hypermile::simulate {

/// What the dependency model expects of runs of a program, from the timeline of one run: the
/// unscaled one, or one in given gears. Messages cost what they did in that run, so that links
/// which saturate in other gears are not seen.
class Forecast {
public:
  /// Throws Error{model} for a timeline that is not of this run, or has not all of it.
  Forecast(const runtime::RunReport& run, const model::Timeline& timeline);

  /// Time and energy of a run in which every rank's gears were changed when they were in `run`:
  /// after as many MPI calls.
  [[nodiscard]] Expectation of(const runtime::RunReport& run) const;
  /// The same of a run in these gears, one per node, from its begin to its end.
  [[nodiscard]] Expectation of(std::span<const model::Gear> gears) const;
  [[nodiscard]] const model::dependency::Protocol& protocol() const {
    return dependencies_->protocol();
  }
  [[nodiscard]] const model::dependency::Predictor& predictor() const { return *predictor_; }

private:
  [[nodiscard]] std::uint32_t first_event_after(std::size_t rank, double share_of_calls) const;

  std::vector<std::vector<std::uint32_t>> calls_; ///< by rank: the first event of each call
  std::unique_ptr<model::dependency::Dependencies> dependencies_;
  std::unique_ptr<model::dependency::Predictor> predictor_;
};

} // namespace hypermile::simulate
