#pragma once

#include "refine/block.hpp"
#include "refine/mailbox.hpp"
#include "refine/plans.hpp"
#include "refine/problem.hpp"

#include <vector>

namespace apps::refine {

/// The bump and its motion. The values do not depend on the number of ranks, not by a bit: nor
/// do the meshes, which follow from the values.
class Simulation {
public:
  Simulation(const Problem& problem, MPI_Comm comm);

  /// When a simulation is, and on which mesh.
  struct Moment {
    int steps;
    Mesh mesh;
  };
  [[nodiscard]] Moment moment() const { return {steps_, mesh_}; }
  /// Goes on from a moment on this rank alone, which has gathered the cells of all.
  Simulation(const Problem& problem, Moment moment, const std::vector<double>& gathered);

  /// A time step; every so many of them begin with another mesh.
  void step();

  /// Over all ranks.
  struct Totals {
    double mass;
    double squares;
    double least;
    double largest;
  };
  [[nodiscard]] Totals totals() const;

  /// The cells of all blocks, on rank 0.
  [[nodiscard]] std::vector<double> gather() const;

private:
  void set_to_start();
  void regrid();
  void plan_ghosts();
  [[nodiscard]] Mesh wished_mesh() const;
  [[nodiscard]] std::size_t owner(const Mesh& mesh, std::size_t index) const {
    return mesh.owner(index, ranks_);
  }
  [[nodiscard]] Block& local(std::size_t index) { return blocks_[index - first_]; }

  const Problem& problem_;
  MPI_Comm comm_;
  std::size_t rank_ = 0;
  std::size_t ranks_ = 1;
  int steps_ = 0;
  Mesh mesh_;
  std::size_t first_ = 0; ///< of this rank's blocks
  std::vector<Block> blocks_;
  std::vector<GhostCopy> ghosts_;
  Mailbox ghost_mail_;
};

} // namespace apps::refine
