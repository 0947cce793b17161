#pragma once

#include "io/network_json.hpp"
#include "model/dependency/prediction.hpp"
#include "network/shared_network.hpp"
#include "simulate/experiment.hpp"

#include <memory>
#include <span>
#include <string>

namespace hypermile::simulate {

/// What the dependency model expects of runs of a program, from the timeline of its unscaled run.
class Forecast {
public:
  /// Throws Error{model} for a timeline that is not of this run, or has not all of it, and for a
  /// network without the routes of its messages.
  Forecast(const runtime::RunReport& unscaled, const model::Timeline& timeline,
           const io::NetworkDescription& network);

  /// Time and energy of a run in which every rank's gears were changed when they were in `run`:
  /// after as many MPI calls.
  [[nodiscard]] Expectation of(const runtime::RunReport& run) const;
  /// The same of a run in these gears, one per node, from its begin to its end.
  [[nodiscard]] Expectation of(std::span<const model::Gear> gears) const;
  [[nodiscard]] const model::dependency::Protocol& protocol() const {
    return dependencies_->protocol();
  }
  [[nodiscard]] const NetworkUse& network() const { return network_; }
  [[nodiscard]] const model::dependency::Predictor& predictor() const { return *predictor_; }

  /// Whether messages share the network, or have constant costs.
  [[nodiscard]] bool shares_network() const {
    return network_.evaluation == network::Evaluation::shared_network;
  }
  /// That a forecast with a shared network goes through.
  [[nodiscard]] std::size_t shared_messages() const { return shared_->message_count(); }

private:
  [[nodiscard]] std::uint32_t first_event_after(std::size_t rank, double share_of_calls) const;

  std::vector<std::vector<std::uint32_t>> calls_; ///< by rank: the first event of each call
  std::unique_ptr<model::dependency::Dependencies> dependencies_;
  std::unique_ptr<network::SharedNetwork> shared_;
  std::unique_ptr<model::dependency::Predictor> predictor_;
  NetworkUse network_;
};

} // namespace hypermile::simulate
