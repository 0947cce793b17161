/// Diffusion of five coupled quantities in a cube by an implicit scheme in factors: each time step
/// solves block-tridiagonal systems along x, then y, then z, on the partition of NAS BT and SP.

#include "common/program.hpp"
#include "multipartition/problem.hpp"
#include "multipartition/solver.hpp"

#include <cstdio>
#include <string>

using namespace apps;
using namespace apps::multipartition;

namespace {

constexpr Syntax syntax{
    .program = "multipartition", .classes = problem_classes, .takes_iterations = true};

/// A step rounds some hundred operations per value, and none makes an error grow.
double rounding(int iterations) { return 1e-15 * (iterations + 1) * Modes::largest_value(); }

int run(const Session& session, const CommandLine& line) {
  const Problem& problem = problem_of_class(line.problem_class.front());
  const int iterations = line.iterations.value_or(problem.iterations);
  const auto side = side_of(session.ranks());
  if (!side || *side > problem.points)
    return usage_error(session, syntax.program,
                       "the ranks cannot share the cube; try: a square number, at most " +
                           std::to_string(problem.points * problem.points));
  if (session.is_root())
    std::printf("multipartition class %c: %u x %u x %u points, %d iterations, %d ranks\n",
                problem.name, problem.points, problem.points, problem.points, iterations,
                session.ranks());
  Modes known(problem);
  Solver solver(problem, session, *side);
  solver.start(known);
  solver.step(); // touches all pages and opens all connections, untimed
  solver.start(known);
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int iteration = 0; iteration < iterations; ++iteration)
    solver.step();
  const double seconds = largest_of_ranks(MPI_Wtime() - start);
  for (int iteration = 0; iteration < iterations; ++iteration)
    known.step();
  Verification verification;
  verification.at_most("largest distance from the known solution", solver.error(known),
                       rounding(iterations));
  return finish(session, verification, {"sum of squares", solver.sum_of_squares(), seconds});
}

} // namespace

int main(int argc, char** argv) { return run_program(argc, argv, syntax, run); }
