#pragma once

#include "multisplitting/block.hpp"
#include "multisplitting/gmres.hpp"
#include "multisplitting/options.hpp"
#include "multisplitting/partition.hpp"
#include "multisplitting/problem.hpp"

#include <mpi.h>

#include <array>
#include <span>
#include <vector>

namespace apps::multisplitting {

using Values = std::vector<double>;

/// A value for each point behind the two sides of a rank's block where other clusters are. Empty at
/// walls of the cube.
struct Boundary {
  Values below;
  Values above;
};

/// This rank's part in its cluster, whose ranks wait for each other in all that they do.
class Cluster {
public:
  Cluster(const Problem& problem, const Options& options, const Partition& partition, int rank);
  ~Cluster();
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  [[nodiscard]] const std::vector<Link>& links() const { return links_; }
  [[nodiscard]] std::uint32_t index() const { return index_; }
  [[nodiscard]] bool is_leader() const { return place_ == 0; }
  /// The squared norm of the right-hand side of all clusters. Collective.
  [[nodiscard]] double squared_right_hand_side() const;

  [[nodiscard]] Boundary boundary() const; ///< all 0
  /// The part of a boundary that belongs to a link.
  [[nodiscard]] std::span<double> part(Boundary& boundary, const Link& link) const;
  [[nodiscard]] std::size_t edge_size(const Link& link) const {
    return std::size_t{block_.side()} * link.rows.size();
  }
  /// The values that the link's peer has behind its side.
  [[nodiscard]] std::span<const double> edge(const Values& field, const Link& link) const;

  /// Adds up each number over the ranks of the cluster.
  void sum(std::span<double> numbers) const;
  /// result = b - A field, and the square of its norm on this rank.
  double residual(const Values& field, const Boundary& boundary, Values& result);
  /// One inner solve: improves `field`, whose residual is `residual`; that is overwritten.
  void improve(Values& field, Values& residual, const GmresLimits& limits);

  /// The squared distance from the known solution on this rank.
  [[nodiscard]] double squared_error(const Values& field) const;
  [[nodiscard]] std::size_t points() const { return block_.points(); }

private:
  void apply(std::span<const double> field, const Boundary* boundary, std::span<double> result);
  void exchange(std::span<const double> field);
  template <class Of> Values field_of(Of&& of) const;

  MPI_Comm comm_{};
  Problem problem_;
  std::uint32_t index_;
  int place_ = 0; ///< in the cluster
  Block block_;
  std::vector<Link> links_;
  std::array<int, 2> partners_{};  ///< south and north; MPI_PROC_NULL at a wall of the cube
  std::array<Values, 2> walls_;    ///< to be sent
  std::array<Values, 2> received_; ///< empty at a wall of the cube
  Values right_hand_side_;
  Gmres gmres_;
};

} // namespace apps::multisplitting
