#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace apps::multisplitting {

/// What all clusters are told to do, as they come to it. Numbers are what messages carry.
enum class Order : std::uint8_t {
  verify = 1, ///< keep a copy of what you have, and say what its residual is
  resume,     ///< the copies were not good enough: a new phase begins
  stop,       ///< the copies together are the solution
  give_up     ///< one has done as many iterations as it may
};

/// Decides when clusters that do not wait for each other have finished. What they say arrives late,
/// and holds for values that have changed since. So it can only make it likely that they are done:
/// then all are told to keep a copy. The copies together are one solution, whose residual is
/// computed from the copies alone, while the clusters go on. Only if that is small enough are they
/// told to stop, and the copies are the result. So none stops early, whatever messages do.
///
/// A phase lasts from the start, or from copies that were not good enough, to the next copies.
class Coordinator {
public:
  /// `bound`: of the square of the norm of the residual.
  Coordinator(std::size_t clusters, double bound) : bound_(bound), clusters_(clusters) {}

  /// The squared norm of a cluster's part of the residual, now that it has data of `phase` from all
  /// its neighbours.
  void says_residual(std::size_t cluster, int phase, double squared);
  /// The same for its copy of this phase.
  void says_residual_of_copy(std::size_t cluster, double squared);
  /// A cluster has done as many iterations as it may.
  void says_limit_reached() { limit_reached_ = true; }

  /// What all clusters are to be told now; each order once.
  std::optional<Order> next();

private:
  struct Cluster {
    std::optional<double> latest;
    std::optional<double> copy;
  };

  /// None while a cluster has not said.
  [[nodiscard]] std::optional<double> sum(std::optional<double> Cluster::*what) const;
  Order judge(double residual_of_copies);

  double bound_;
  std::vector<Cluster> clusters_;
  int phase_ = 0;
  bool is_verifying_ = false;
  bool limit_reached_ = false;
  bool has_ended_ = false;
};

} // namespace apps::multisplitting
