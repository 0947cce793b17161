/// A free quantum particle on a square, by Fourier transforms of which each has a transpose
/// over all ranks (MPI_Alltoall), as those of NAS FT have.

#include "common/program.hpp"
#include "transpose/problem.hpp"
#include "transpose/wave.hpp"

#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>

using namespace apps;
using namespace apps::transpose;

namespace {

constexpr Syntax syntax{
    .program = "transpose", .classes = problem_classes, .takes_iterations = true};

/// How far the norms were off, relative to the first: between field and spectrum in any step,
/// and between any step and the first.
class Conservation {
public:
  void check(const Wave::Norms& norms) {
    first_ = first_ == 0.0 ? norms.spectrum : first_;
    parseval_ = larger(parseval_, std::abs(norms.field - norms.spectrum) / first_);
    drift_ = larger(drift_, std::abs(norms.field - first_) / first_);
  }

  [[nodiscard]] double parseval() const { return parseval_; }
  [[nodiscard]] double drift() const { return drift_; }

private:
  double first_ = 0.0;
  double parseval_ = 0.0;
  double drift_ = 0.0;
};

double timed_steps(const Problem& problem, Wave& wave, Conservation& conservation, bool print) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int step = 1; step <= problem.iterations; ++step) {
    wave.step();
    conservation.check(wave.norms());
    if (print)
      std::printf("  step %3d  norm %.14e\n", step, wave.norms().field);
  }
  return largest_of_ranks(MPI_Wtime() - start);
}

Verification verify(const Problem& problem, Wave& wave, const Conservation& conservation) {
  const double epsilon = std::numeric_limits<double>::epsilon();
  // A sum over rows and columns; the norms are squares, so twice the errors of a step, which
  // are those of two transforms and of the factor.
  const double of_sum = 2.0 * problem.side * epsilon;
  const double of_step = 2.0 * rounding_of_transform(problem) + 4.0 * epsilon;
  Verification verification;
  verification.at_most("spectrum of a plane wave beside its peak", wave.plane_wave_error(),
                       rounding_of_transform(problem));
  verification.at_most("Parseval: norms of field and spectrum apart", conservation.parseval(),
                       2.0 * (of_sum + of_step));
  verification.at_most("change of the norm", conservation.drift(),
                       2.0 * (of_sum + of_step * problem.iterations));
  verification.at_most("distance from the start, all steps turned back",
                       wave.distance_from_start(problem.iterations),
                       of_step * (problem.iterations + 1.0));
  return verification;
}

int run(const Session& session, const CommandLine& line) {
  Problem problem = problem_of_class(line.problem_class.front());
  problem.iterations = line.iterations.value_or(problem.iterations);
  const auto ranks = static_cast<std::uint32_t>(session.ranks());
  if (!std::has_single_bit(ranks) || ranks > problem.side)
    return usage_error(session, syntax.program,
                       "the number of ranks does not divide the square; try: a power of two, at "
                       "most " +
                           std::to_string(problem.side));
  if (session.is_root())
    std::printf("transpose class %c: %u x %u points, %d iterations, %d ranks\n", problem.name,
                problem.side, problem.side, problem.iterations, session.ranks());
  Wave wave(problem, part_of({0, problem.side}, ranks, static_cast<std::uint32_t>(session.rank())));
  wave.step(); // touches all pages and opens all connections, untimed
  wave.restart();

  Conservation conservation;
  const double seconds =
      timed_steps(problem, wave, conservation, line.verbose && session.is_root());
  const double corner = wave.corner_density();
  return finish(session, verify(problem, wave, conservation),
                {"density in the corner", corner, seconds});
}

} // namespace

int main(int argc, char** argv) { return run_program(argc, argv, syntax, run); }
