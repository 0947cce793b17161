#pragma once

#include "model/problem.hpp"

#include <random>

namespace hypermile::test {

/// Small random problems with the cases that break selection algorithms over-represented: ties,
/// a single gear, no communication, no static power, identical nodes, tables whose times and
/// energies go up and down.
class RandomProblem {
public:
  explicit RandomProblem(unsigned seed) : engine_(seed) {}

  /// `max_vectors`: upper limit of the number of gear vectors, for brute force.
  model::Problem make(model::ModelKind kind, double max_vectors = 600);
  /// With up to `nodes` nodes, too many for brute force.
  model::Problem make_large(model::ModelKind kind, std::size_t nodes);

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  bool chance(double probability) { return uniform(0, 1) < probability; }
  std::size_t integer(std::size_t low, std::size_t high) {
    return std::uniform_int_distribution<std::size_t>(low, high)(engine_);
  }

private:
  model::GearTable gears(std::size_t count);
  std::vector<model::AnalyticNode> analytic_nodes(double max_vectors);
  std::vector<model::TableNode> table_nodes(double max_vectors);
  model::HomogeneousCluster homogeneous();
  double time();

  std::mt19937 engine_;
  std::size_t most_nodes_ = 6;
  bool coarse_ = false; // times and powers from a small set, so that ties are common
};

} // namespace hypermile::test
