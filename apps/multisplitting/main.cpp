/// Poisson's equation in a cube by multisplitting: each cluster of ranks solves its part by GMRES,
/// with the latest values that it has of its neighbours' parts, and sends them its own. Clusters
/// wait for each other in each such outer iteration, or not at all.

#include "common/program.hpp"
#include "multisplitting/cluster.hpp"
#include "multisplitting/outer.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

using namespace apps;
using namespace apps::multisplitting;

namespace {

constexpr std::string_view program = "multisplitting";
/// Sums over ranks in another order may differ by so much.
constexpr double order_of_sums = 1e-9;
/// Below this share of what it has to reach, a cluster's residual needs no more work.
constexpr double more_than_enough = 1e-3;

struct Clusters {
  std::vector<int> iterations; ///< by cluster

  [[nodiscard]] double spread() const { // standard deviation
    const auto count = static_cast<double>(iterations.size());
    const double mean = std::accumulate(iterations.begin(), iterations.end(), 0.0) / count;
    double squares = 0.0;
    for (const int number : iterations)
      squares += (number - mean) * (number - mean);
    return std::sqrt(squares / count);
  }

  void print() const {
    const auto [least, most] = std::ranges::minmax(iterations);
    std::printf("outer iterations: %d to %d, standard deviation %.2f; by cluster:", least, most,
                spread());
    for (const int number : iterations)
      std::printf(" %d", number);
    std::printf("\n");
  }
};

/// On rank 0.
Clusters gather(const Session& session, const Partition& partition, const Solution& solution) {
  std::vector<int> all(static_cast<std::size_t>(session.ranks()));
  MPI_Gather(&solution.iterations, 1, MPI_INT, all.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  Clusters clusters;
  for (std::uint32_t cluster = 0; cluster < partition.clusters(); ++cluster)
    clusters.iterations.push_back(all[partition.ranks_of(cluster).begin]);
  return clusters;
}

/// Norms for the whole solution, computed anew from what the clusters ended with.
struct Norms {
  double residual;
  double error;
};

Norms norms_of(Cluster& cluster, const Solution& solution) {
  Boundary boundary = cluster.boundary();
  exchange_boundaries(cluster, solution.field, boundary);
  Values residual(cluster.points());
  const double square = cluster.residual(solution.field, boundary, residual);
  return {std::sqrt(sum_of_ranks(square)),
          std::sqrt(sum_of_ranks(cluster.squared_error(solution.field)))};
}

Verification verify(const Problem& problem, const Options& options, double right_hand_side,
                    const Norms& norms, bool has_reached) {
  Verification verification;
  verification.holds("the tolerance is reached within " + std::to_string(options.limit) +
                         " outer iterations",
                     has_reached);
  verification.at_most("residual of the assembled solution, as a share of the right-hand side",
                       norms.residual / right_hand_side, options.tolerance * (1.0 + order_of_sums));
  verification.at_most("distance from the solution, given the residual", norms.error,
                       (norms.residual + problem.rounding()) / problem.least_eigenvalue());
  return verification;
}

std::string why_not(const Options& options, int ranks, int clusters) {
  const int largest = (ranks + clusters - 1) / clusters;
  const int side = static_cast<int>(options.side);
  if (clusters > ranks)
    return "there are more clusters than ranks; try: --clusters " + std::to_string(ranks);
  if (clusters > side || largest > side)
    return "the cube has fewer planes than there are clusters, or ranks in one; try: --grid " +
           std::to_string(std::max(clusters, largest));
  return "";
}

void introduce(const Options& options, int ranks, int clusters) {
  std::printf("multisplitting: %u x %u x %u points, %d ranks, %d clusters, outer iterations %s, "
              "GMRES(%d)\n",
              options.side, options.side, options.side, ranks, clusters,
              options.is_asynchronous ? "async" : "sync", options.restart);
}

int solve(const Session& session, const Options& options, int clusters) {
  const Problem problem{options.side};
  const Partition partition(options.side, session.ranks(), clusters);
  Cluster cluster(problem, options, partition, session.rank());
  const double right_hand_side = std::sqrt(cluster.squared_right_hand_side());
  const double enough = options.tolerance * right_hand_side;
  const Goal goal{.squared_residual = enough * enough,
                  .inner = {.cycles = options.cycles,
                            .relative_residual = options.inner_tolerance,
                            .residual = more_than_enough * enough / std::sqrt(clusters)},
                  .limit = options.limit,
                  .print = options.verbose && session.is_root()};
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  const Solution solution =
      options.is_asynchronous
          ? iterate_asynchronously(cluster, partition, goal,
                                   Disturbance(options.disturbance, session.rank()))
          : iterate_synchronously(cluster, goal);
  const double seconds = largest_of_ranks(MPI_Wtime() - start);

  const Clusters done = gather(session, partition, solution);
  const Norms norms = norms_of(cluster, solution);
  if (session.is_root()) {
    done.print();
    std::printf("error: %.15e\n", norms.error / std::sqrt(problem.points()));
  }
  return finish(session, verify(problem, options, right_hand_side, norms, solution.has_reached),
                {"residual", norms.residual / right_hand_side, seconds});
}

int run(const Session& session, const Options& options) {
  if (options.help) {
    if (session.is_root())
      std::fputs(help().c_str(), stdout);
    return 0;
  }
  if (!options.error.empty())
    return usage_error(session, program, options.error);
  const int clusters = options.clusters.value_or(std::min(4, session.ranks()));
  const std::string problem = why_not(options, session.ranks(), clusters);
  if (!problem.empty())
    return usage_error(session, program, problem);
  if (session.is_root())
    introduce(options, session.ranks(), clusters);
  return solve(session, options, clusters);
}

} // namespace

int main(int argc, char** argv) {
  const Session session(&argc, &argv);
  return run(session, read_options({argv + 1, argv + argc}));
}
