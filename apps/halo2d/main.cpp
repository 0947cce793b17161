/// The heat equation on a square by explicit time steps: a halo of one point is exchanged
/// with four neighbours in each, and now and then all ranks sum up the residual.

#include "common/grid_shape.hpp"
#include "common/program.hpp"
#include "halo2d/domain.hpp"
#include "halo2d/heat.hpp"
#include "halo2d/modes.hpp"
#include "halo2d/problem.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

using namespace apps;
using namespace apps::halo2d;

namespace {

constexpr Syntax syntax{.program = "halo2d", .classes = problem_classes, .takes_iterations = true};

/// By how much a residual may differ from the exact one, given the rounding of the points
/// and that of a sum over rows and columns.
double residual_bound(std::uint32_t side, int step) {
  return 2.0 * side *
         (rounding_bound(step + 1) +
          std::numeric_limits<double>::epsilon() * exact_residual(side, step));
}

class TimeSteps {
public:
  TimeSteps(Heat& heat, const Problem& problem, bool print)
      : heat_(heat), problem_(problem), print_(print) {}

  void run() {
    for (int step = 0; step < problem_.iterations; ++step) {
      heat_.step();
      if ((step + 1) % Problem::check_interval == 0)
        check(step);
    }
  }

  /// The largest error of a residual as a share of what it may be.
  [[nodiscard]] double worst() const { return worst_; }

private:
  void check(int step) {
    const double residual = heat_.residual();
    const double exact = exact_residual(problem_.side, step);
    worst_ = larger(worst_, std::abs(residual - exact) / residual_bound(problem_.side, step));
    if (print_)
      std::printf("  step %4d  residual %.14e\n", step + 1, residual);
  }

  Heat& heat_;
  const Problem& problem_;
  bool print_;
  double worst_ = 0.0;
};

Verification verify(const Heat& heat, const Problem& problem, const TimeSteps& steps) {
  Verification verification;
  verification.at_most("distance of any point from the decay of the eigenmodes",
                       heat.error(problem.iterations), rounding_bound(problem.iterations));
  verification.at_most("residuals off the exact ones, as a share of rounding", steps.worst(), 1.0);
  return verification;
}

int run(const Session& session, const CommandLine& line) {
  Problem problem = problem_of_class(line.problem_class.front());
  problem.iterations = line.iterations.value_or(problem.iterations);
  const auto shape = grid_shape(session.ranks());
  if (std::ranges::max(shape) > static_cast<int>(problem.side))
    return usage_error(
        session, syntax.program,
        "the grid of ranks has a longer side than the square; try: another number of "
        "ranks");
  if (session.is_root())
    std::printf("halo2d class %c: %u x %u points, %d iterations, %d ranks (%d x %d)\n",
                problem.name, problem.side, problem.side, problem.iterations, session.ranks(),
                shape[0], shape[1]);
  const Domain domain(problem.side, shape);
  Heat heat(domain, problem.side);
  heat.step(); // touches all pages and opens all connections, untimed
  heat.restart();

  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  TimeSteps steps(heat, problem, line.verbose && session.is_root());
  steps.run();
  const double seconds = largest_of_ranks(MPI_Wtime() - start);
  return finish(session, verify(heat, problem, steps), {"norm", heat.norm(), seconds});
}

} // namespace

int main(int argc, char** argv) { return run_program(argc, argv, syntax, run); }
