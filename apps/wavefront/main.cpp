/// Poisson's equation in a box by SSOR. Each iteration is a step in a time that is not physical,
/// as those of NAS LU are: its two sweeps run through the grid of ranks as wavefronts, plane by
/// plane.

#include "common/grid_shape.hpp"
#include "common/program.hpp"
#include "wavefront/layout.hpp"
#include "wavefront/problem.hpp"
#include "wavefront/solver.hpp"

#include <cstdio>
#include <limits>

using namespace apps;
using namespace apps::wavefront;

namespace {

constexpr Syntax syntax{
    .program = "wavefront", .classes = problem_classes, .takes_iterations = true};

/// The residual norms that were looked at.
class Descent {
public:
  Descent(const Solver& solver, bool print) : solver_(solver), print_(print) {}

  void check(int iteration) {
    const double norm = solver_.residual_norm();
    falls_ = falls_ && (norm < last_ || norm <= solver_.residual_floor());
    last_ = norm;
    if (print_)
      std::printf("  iteration %4d  residual %.14e\n", iteration, norm);
  }

  [[nodiscard]] bool falls() const { return falls_; }
  [[nodiscard]] double last() const { return last_; }

private:
  const Solver& solver_;
  bool print_;
  bool falls_ = true;
  double last_ = std::numeric_limits<double>::infinity();
};

double timed_iterations(const Problem& problem, Solver& solver, Descent& descent) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int iteration = 0; iteration < problem.iterations; ++iteration) {
    solver.sweep();
    if (iteration % Problem::check_interval == 0)
      descent.check(iteration);
    solver.update();
  }
  return largest_of_ranks(MPI_Wtime() - start);
}

Verification verify(Solver& solver, const Descent& descent) {
  Verification verification;
  verification.holds("the residual falls from check to check", descent.falls());
  verification.at_most("defect of the sweeps as solutions for the whole box", solver.sweep_defect(),
                       Solver::sweep_defect_bound());
  const auto error = solver.error();
  verification.at_most("distance from the solution, given the residual", error.norm, error.bound);
  return verification;
}

int run(const Session& session, const CommandLine& line) {
  Problem problem = problem_of_class(line.problem_class.front());
  problem.iterations = line.iterations.value_or(problem.iterations);
  const auto shape = grid_shape(session.ranks());
  if (shape[0] > static_cast<int>(problem.rows) || shape[1] > static_cast<int>(problem.columns))
    return usage_error(session, syntax.program,
                       "the grid of ranks has a longer side than the box; try: another number of "
                       "ranks");
  if (session.is_root())
    std::printf("wavefront class %c: %u x %u x %u points, %d iterations, %d ranks (%d x %d)\n",
                problem.name, problem.columns, problem.rows, problem.planes, problem.iterations,
                session.ranks(), shape[0], shape[1]);
  const Layout layout(problem, shape, session.rank());
  Solver solver(problem, layout);
  solver.sweep(); // touches all pages and opens all connections, untimed
  solver.update();
  solver.restart();

  Descent descent(solver, line.verbose && session.is_root());
  const double seconds = timed_iterations(problem, solver, descent);
  solver.sweep();
  descent.check(problem.iterations);
  return finish(session, verify(solver, descent), {"residual norm", descent.last(), seconds});
}

} // namespace

int main(int argc, char** argv) { return run_program(argc, argv, syntax, run); }
