/// Conjugate gradients after the NAS CG specification: an estimate of the largest
/// eigenvalue of a sparse random matrix by the inverse power method.

#include "cg/grid.hpp"
#include "cg/matrix.hpp"
#include "cg/problem.hpp"
#include "cg/solver.hpp"
#include "common/program.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string_view>
#include <vector>

using namespace apps;
using namespace apps::cg;

namespace {

/// The inverse power method, from a vector of ones.
class PowerMethod {
public:
  PowerMethod(const Problem& problem, const Grid& grid, const Matrix& matrix)
      : problem_(problem), solver_(grid, matrix), x_(grid.columns.size(), 1.0), z_(x_.size()) {}

  void restart() { std::ranges::fill(x_, 1.0); }

  void iterate() {
    residual_ = solver_.solve(x_, z_);
    std::array<double, 2> sums = {local_dot(x_, z_), local_dot(z_, z_)};
    solver_.sum_over_row(sums);
    zeta_ = problem_.shift + 1.0 / sums[0];
    const double scale = 1.0 / std::sqrt(sums[1]);
    for (std::size_t i = 0; i < x_.size(); ++i)
      x_[i] = scale * z_[i];
  }

  [[nodiscard]] double residual() const { return residual_; }
  [[nodiscard]] double zeta() const { return zeta_; }

private:
  const Problem& problem_;
  Solver solver_;
  std::vector<double> x_, z_;
  double residual_ = 0.0;
  double zeta_ = 0.0;
};

double timed_iterations(const Problem& problem, PowerMethod& method, bool print) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int iteration = 1; iteration <= problem.iterations; ++iteration) {
    method.iterate();
    if (print)
      std::printf("  iteration %2d  residual %.14e  zeta %.13f\n", iteration, method.residual(),
                  method.zeta());
  }
  return largest_of_ranks(MPI_Wtime() - start);
}

constexpr Syntax syntax{.program = "cg", .classes = problem_classes};

int run(const Session& session, const CommandLine& line) {
  if (!is_power_of_two(session.ranks()))
    return usage_error(session, syntax.program,
                       "the number of ranks is not a power of two; try: 1, 2, 4, 8, ...");
  const Problem& problem = problem_of_class(line.problem_class.front());
  const double start = MPI_Wtime();
  const Grid grid(session.rank(), session.ranks(), problem.n);
  if (session.is_root())
    std::printf("cg class %c: n %u, %d iterations, %d ranks (%u x %u)\n", problem.name, problem.n,
                problem.iterations, session.ranks(), grid.height, grid.width);
  const Matrix matrix = make_matrix(problem, grid.rows, grid.columns);
  const double set_up = largest_of_ranks(MPI_Wtime() - start);

  PowerMethod method(problem, grid, matrix);
  method.iterate(); // touches all pages and opens all connections, untimed
  method.restart();
  const double seconds = timed_iterations(problem, method, line.verbose && session.is_root());

  const bool verified = problem.verified(method.zeta());
  if (session.is_root()) {
    std::printf("zeta: %.13f (expected %.13f)\n", method.zeta(), problem.zeta);
    std::printf("verification: %s\n", verified ? "successful" : "FAILED");
    std::printf("set-up: %.3f s\ntime: %.3f s\n", set_up, seconds);
    std::printf("rate: %.1f Mop/s\n", seconds > 0 ? problem.operations() / seconds / 1e6 : 0.0);
  }
  return verified ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) { return run_program(argc, argv, syntax, run); }
