/// A crystal that melts, by molecular dynamics with short-range forces. Lists of neighbours are
/// rebuilt when a particle has moved far enough.

#include "common/program.hpp"
#include "particles/problem.hpp"
#include "particles/simulation.hpp"

#include <cmath>
#include <cstdio>
#include <limits>

using namespace apps;
using namespace apps::particles;

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr Syntax syntax{
    .program = "particles", .classes = problem_classes, .takes_iterations = true};

/// The total energy, as often as it was looked at.
class Conservation {
public:
  Conservation(const Simulation::Energies& start, bool print) : start_(start), print_(print) {}

  void check(int step, const Simulation::Energies& now) {
    change_ = larger(change_, std::abs(now.total() - start_.total()) / start_.kinetic);
    if (print_)
      std::printf("  step %5d  kinetic %.10e  potential %.10e  total %.10e\n", step, now.kinetic,
                  now.potential, now.total());
  }
  /// The largest, over the kinetic energy of the beginning.
  [[nodiscard]] double change() const { return change_; }

private:
  Simulation::Energies start_;
  bool print_;
  double change_ = 0.0;
};

double timed_steps(const Problem& problem, Simulation& simulation, Conservation& conservation) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int step = 1; step <= problem.iterations; ++step) {
    simulation.step();
    if (step % Problem::output_interval == 0)
      conservation.check(step, simulation.energies());
  }
  return largest_of_ranks(MPI_Wtime() - start);
}

Verification verify(const Problem& problem, const Simulation& simulation,
                    const Conservation& conservation) {
  Verification verification;
  verification.holds("no particle was lost", simulation.particles() == problem.particles());
  // Verlet's method conserves another energy, which differs by (w dt)^2 / 12 of the kinetic one.
  // w^2 is twice the curvature of the potential: 2000 where particles that collide are 0.95 apart.
  verification.at_most("change of the energy, over the kinetic one", conservation.change(),
                       2000.0 * Problem::time_step * Problem::time_step / 12.0);
  // Forces of pairs are opposite to the bit; each step rounds some ten times.
  verification.at_most("momentum, over the sum of its absolute values", simulation.drift(),
                       10.0 * epsilon * (problem.iterations + 10.0));
  // Positions have roundings of side x epsilon, and forces change by some hundred times as much.
  verification.at_most("forces against a direct sum", simulation.force_error(),
                       1e3 * problem.side() * epsilon);
  return verification;
}

int run(const Session& session, const CommandLine& line) {
  Problem problem = problem_of_class(line.problem_class.front());
  problem.iterations = line.iterations.value_or(problem.iterations);
  const RankGrid grid(session.rank(), session.ranks());
  const auto& shape = grid.shape;
  if (problem.side() / shape[2] < Problem::reach || problem.side() / shape[1] < Problem::reach)
    return usage_error(session, syntax.program,
                       "the cube cannot be cut so that forces reach no further than the next rank; "
                       "try: fewer ranks, or a number with more factors");
  if (session.is_root())
    std::printf("particles class %c: %u particles, %d iterations, %d ranks (%u x %u x %u)\n",
                problem.name, problem.particles(), problem.iterations, session.ranks(), shape[0],
                shape[1], shape[2]);
  const BoxPart part(problem.side(), grid);
  Simulation simulation(problem, part);
  Conservation conservation(simulation.energies(), line.verbose && session.is_root());
  const double seconds = timed_steps(problem, simulation, conservation);
  const auto end = simulation.energies();
  conservation.check(problem.iterations, end);
  if (session.is_root())
    std::printf("lists of neighbours: built %d times\n", simulation.rebuilds());
  return finish(session, verify(problem, simulation, conservation),
                {"potential energy", end.potential, seconds});
}

} // namespace

int main(int argc, char** argv) { return run_program(argc, argv, syntax, run); }
