/// Multigrid after the NAS MG specification: V-cycles for Poisson's equation in a periodic cube.

#include "common/program.hpp"
#include "mg/problem.hpp"
#include "mg/solver.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <string>

using namespace apps;
using namespace apps::mg;

namespace {

constexpr Syntax syntax{.program = "mg", .classes = problem_classes};

double timed_iterations(const Problem& problem, Solver& solver, bool print) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  solver.restart();
  const Solver::Norms first = solver.norms();
  for (int iteration = 0; iteration < problem.iterations; ++iteration)
    solver.iterate();
  const Solver::Norms last = solver.norms();
  const double seconds = largest_of_ranks(MPI_Wtime() - start);
  if (print)
    std::printf("  residual norm %.14e -> %.14e\n  largest       %.14e -> %.14e\n",
                first.root_mean_square, last.root_mean_square, first.largest, last.largest);
  return seconds;
}

int run(const Session& session, const CommandLine& line) {
  const Problem& problem = problem_of_class(line.problem_class.front());
  const RankGrid grid(session.rank(), session.ranks());
  if (!std::has_single_bit(static_cast<unsigned>(session.ranks())) ||
      std::ranges::max(grid.shape) > problem.side())
    return usage_error(session, syntax.program,
                       "the ranks cannot share the cube; try: a power of two, at most " +
                           std::to_string(std::uint64_t{1} << 3 * problem.levels));
  if (session.is_root())
    std::printf("mg class %c: %u x %u x %u points, %d iterations, %d ranks (%u x %u x %u)\n",
                problem.name, problem.side(), problem.side(), problem.side(), problem.iterations,
                session.ranks(), grid.shape[0], grid.shape[1], grid.shape[2]);
  Solver solver(problem, grid);
  solver.iterate(); // touches all pages and opens all connections, untimed
  const double seconds = timed_iterations(problem, solver, line.verbose && session.is_root());

  const double norm = solver.norms().root_mean_square;
  Verification verification;
  verification.at_most("relative distance from the published residual norm", problem.distance(norm),
                       Problem::tolerance);
  return finish(session, verification, {"residual norm", norm, seconds});
}

} // namespace

int main(int argc, char** argv) { return run_program(argc, argv, syntax, run); }
