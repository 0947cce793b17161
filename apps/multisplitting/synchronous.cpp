#include "multisplitting/outer.hpp"

#include <hypermile/hypermile.h>

#include <cmath>
#include <cstdio>

namespace apps::multisplitting {

void exchange_boundaries(const Cluster& cluster, const Values& field, Boundary& boundary) {
  std::vector<MPI_Request> requests;
  for (const Link& link : cluster.links()) {
    const std::span<double> part = cluster.part(boundary, link);
    MPI_Irecv(part.data(), static_cast<int>(part.size()), MPI_DOUBLE, link.peer, 0, MPI_COMM_WORLD,
              &requests.emplace_back());
  }
  for (const Link& link : cluster.links()) {
    const std::span<const double> edge = cluster.edge(field, link);
    MPI_Isend(edge.data(), static_cast<int>(edge.size()), MPI_DOUBLE, link.peer, 0, MPI_COMM_WORLD,
              &requests.emplace_back());
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

Solution iterate_synchronously(Cluster& cluster, const Goal& goal) {
  Solution solution{Values(cluster.points(), 0.0), 0, false};
  Values residual(cluster.points());
  Boundary boundary = cluster.boundary();
  while (true) {
    exchange_boundaries(cluster, solution.field, boundary);
    double square = cluster.residual(solution.field, boundary, residual);
    MPI_Allreduce(MPI_IN_PLACE, &square, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (goal.print)
      std::printf("  iteration %5d  residual %.14e\n", solution.iterations, std::sqrt(square));
    solution.has_reached = square <= goal.squared_residual;
    if (solution.has_reached || solution.iterations == goal.limit)
      return solution;
    hm_iteration();
    cluster.improve(solution.field, residual, goal.inner);
    ++solution.iterations;
  }
}

} // namespace apps::multisplitting
