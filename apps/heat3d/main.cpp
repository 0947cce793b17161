/// The heat equation in a cube by explicit time steps: in each, every rank computes its block of
/// cells and exchanges walls with the blocks around it, axis by axis. This is the SPMD program of
/// [M16], which apps/README.md cites.

#include "common/program.hpp"
#include "heat3d/heat.hpp"
#include "heat3d/modes.hpp"
#include "heat3d/problem.hpp"

#include <algorithm>
#include <cstdio>

using namespace apps;
using namespace apps::heat3d;

namespace {

constexpr Syntax syntax{.program = "heat3d", .classes = problem_classes, .takes_iterations = true};

double timed_steps(const Problem& problem, Heat& heat, bool print) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int step = 1; step <= problem.iterations; ++step) {
    heat.step();
    if (print)
      std::printf("  step %4d  first cell %.14e\n", step, heat.first_cell());
  }
  return largest_of_ranks(MPI_Wtime() - start);
}

void print_problem(const Problem& problem, const RankGrid& grid, int ranks) {
  const auto& shape = grid.shape;
  std::printf("heat3d class %c: %u^3 cells, %d iterations, %d ranks (%u x %u x %u)\n", problem.name,
              problem.side, problem.iterations, ranks, shape[0], shape[1], shape[2]);
  const Range all{0, problem.side};
  std::printf("operations: %.6e\n",
              problem.iterations * static_cast<double>(operations({all, all, all})));
}

int run(const Session& session, const CommandLine& line) {
  Problem problem = problem_of_class(line.problem_class.front());
  problem.iterations = line.iterations.value_or(problem.iterations);
  const RankGrid grid(session.rank(), session.ranks());
  if (std::ranges::max(grid.shape) > problem.side)
    return usage_error(session, syntax.program,
                       "the grid of ranks has a longer side than the cube; try: fewer ranks, or a "
                       "number with more factors");
  if (session.is_root())
    print_problem(problem, grid, session.ranks());
  Heat heat(problem, grid);
  heat.step(); // touches all pages and opens all connections, untimed
  heat.restart();

  const double seconds = timed_steps(problem, heat, line.verbose && session.is_root());
  Verification verification;
  verification.at_most("distance of any cell from the decay of the eigenmodes",
                       heat.error(problem.iterations), rounding_bound(problem.iterations));
  return finish(session, verification, {"norm", heat.norm(), seconds});
}

} // namespace

int main(int argc, char** argv) { return run_program(argc, argv, syntax, run); }
