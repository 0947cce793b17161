/// Bodies that attract each other, all pairs of them. Each rank has a part of the bodies; in
/// each time step, all parts pass round a ring of the ranks.

#include "common/program.hpp"
#include "ring/bodies.hpp"
#include "ring/forces.hpp"
#include "ring/problem.hpp"
#include "ring/ring.hpp"
#include "ring/simulation.hpp"

#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

using namespace apps;
using namespace apps::ring;

namespace {

constexpr Syntax syntax{.program = "ring", .classes = problem_classes, .takes_iterations = true};

std::vector<Range> parts_of(const Problem& problem, int ranks) {
  std::vector<Range> parts;
  for (int rank = 0; rank < ranks; ++rank)
    parts.push_back(part_of({0, problem.bodies}, static_cast<std::uint32_t>(ranks),
                            static_cast<std::uint32_t>(rank)));
  return parts;
}

double timed_steps(const Problem& problem, Simulation& simulation, bool print) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int step = 1; step <= problem.iterations; ++step) {
    simulation.step();
    if (print)
      std::printf("  step %3d  time %.14e\n", step, simulation.time());
  }
  return largest_of_ranks(MPI_Wtime() - start);
}

/// Rounding of the accelerations over the time simulated, and two of each velocity, of which
/// none begins above 1, in each step.
double momentum_bound(const Problem& problem, const Simulation& simulation) {
  const double largest_velocity = 1.0 + largest_acceleration() * simulation.time();
  const double of_velocity =
      2.0 * (problem.iterations + 1.0) * std::numeric_limits<double>::epsilon() * largest_velocity;
  return 1.5 * Problem::total_mass * (rounding_bound(problem) * simulation.time() + of_velocity);
}

Verification verify(const Problem& problem, Simulation& simulation,
                    const std::array<double, 3>& momentum) {
  const auto now = simulation.momentum();
  const double change =
      std::hypot(now[0] - momentum[0], now[1] - momentum[1], now[2] - momentum[2]);
  Verification verification;
  verification.at_most("change of the total momentum", change, momentum_bound(problem, simulation));
  verification.at_most("accelerations off a direct sum", simulation.force_error(),
                       2.0 * rounding_bound(problem));
  return verification;
}

int run(const Session& session, const CommandLine& line) {
  Problem problem = problem_of_class(line.problem_class.front());
  problem.iterations = line.iterations.value_or(problem.iterations);
  if (session.ranks() > static_cast<int>(problem.bodies))
    return usage_error(session, syntax.program,
                       "there are more ranks than bodies; try: at most " +
                           std::to_string(problem.bodies));
  if (session.is_root())
    std::printf("ring class %c: %u bodies, %d iterations, %d ranks\n", problem.name, problem.bodies,
                problem.iterations, session.ranks());
  const auto parts = parts_of(problem, session.ranks());
  Ring ring(session.rank(), parts);
  Simulation simulation(problem, ring, parts[static_cast<std::size_t>(session.rank())]);
  simulation.step(); // touches all pages and opens all connections, untimed
  simulation.restart();

  const auto momentum = simulation.momentum();
  const double seconds = timed_steps(problem, simulation, line.verbose && session.is_root());
  const Verification verification = verify(problem, simulation, momentum);
  return finish(session, verification, {"kinetic energy", simulation.kinetic_energy(), seconds});
}

} // namespace

int main(int argc, char** argv) { return run_program(argc, argv, syntax, run); }
