#pragma once

#include "model/dependency/dependencies.hpp"
#include "network/decomposition.hpp"
#include "network/traffic_pass.hpp"

#include <span>
#include <vector>

namespace hypermile::network {

// The vocabulary of timelines and their dependencies.
using namespace model;
using namespace model::dependency;

/// How much messages that are under way at once hold each other up.
struct Contention {
  /// What ranks wait for messages beyond the moment when each would have come had it been alone
  /// on the network: the mean over the ranks, as a share of the time.
  double share = 0;
  /// By how much the time of the recorded run differs when it is computed from the network, as a
  /// share: large where the network is not the one that the recording comes from.
  double misfit = 0;
};

/// The same program of steps, but messages take what a network gives them: first the latency of
/// their route, then their bytes at a rate that they share with whatever else is under way. So do
/// those of collective operations, as far as these are decomposed; the others keep their constant
/// costs, and take nothing from the network.
///
/// A pass takes 0.2 to 4 us per message, 30 times what Dependencies::time() does and more.
class SharedNetwork {
public:
  /// Keeps references to nothing but `dependencies`, which must come from the same matching and
  /// costs. Throws Error{model} where the interconnect does not know a message's route.
  SharedNetwork(const Dependencies& dependencies, const Matching& matching, const Costs& costs,
                const Interconnect& interconnect, const Decomposition& decomposition = {});

  [[nodiscard]] const Dependencies& dependencies() const { return dependencies_; }
  /// Those of decomposed operations included.
  [[nodiscard]] std::size_t message_count() const { return traffic_.message_count(); }

  using Workspace = TrafficWorkspace;

  /// As Dependencies::time().
  [[nodiscard]] Seconds time(std::span<const double> scales, Workspace& workspace) const;
  /// As Dependencies::outcome().
  [[nodiscard]] Outcome outcome(std::span<const double> scales) const;
  /// As Dependencies::staged().
  [[nodiscard]] StagedOutcome staged(std::span<const std::vector<ScaleChange>> changes) const;
  /// Of the run that was recorded.
  [[nodiscard]] Contention contention() const;

private:
  class Translation;

  const Dependencies& dependencies_;
  Traffic traffic_;
  std::vector<double> recorded_scales_; ///< by rank
};

/// Less contention than this does not show.
inline constexpr double negligible_contention = 0.002;
/// A network that misses the recorded run by more is not trusted...
inline constexpr double largest_misfit = 0.02;
/// ...and one without contention not even with more than this.
inline constexpr double largest_misfit_uncontended = 0.002;

/// Which evaluation fits a recording.
enum class Evaluation { constant_costs, shared_network };
[[nodiscard]] Evaluation fitting_evaluation(const Contention& contention);

} // namespace hypermile::network
