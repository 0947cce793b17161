/// A bump that a turning wind carries through a square: blocks of cells are refined where it is,
/// coarsened where it was, and moved to other ranks, every 20 time steps.

#include "common/program.hpp"
#include "refine/problem.hpp"
#include "refine/simulation.hpp"

#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

using namespace apps;
using namespace apps::refine;

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr Syntax syntax{.program = "refine", .classes = problem_classes, .takes_iterations = true};

double timed_steps(const Problem& problem, Simulation& simulation, bool print) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int step = 0; step < problem.iterations; ++step) {
    simulation.step();
    if (print && step % Problem::regrid_interval == 0)
      std::printf("  step %4d  blocks %zu\n", step, simulation.moment().mesh.size());
  }
  return largest_of_ranks(MPI_Wtime() - start);
}

/// Does some more steps, at least one with another mesh, and on rank 0 the same alone. How many
/// cells differ, on every rank.
double differences_from_one_rank(const Problem& problem, Simulation& simulation) {
  const auto before = simulation.gather();
  const auto moment = simulation.moment();
  for (int step = 0; step < Problem::regrid_interval; ++step)
    simulation.step();
  const auto cells = simulation.gather();
  double differences = 0.0;
  if (!cells.empty()) {
    Simulation alone(problem, moment, before);
    for (int step = 0; step < Problem::regrid_interval; ++step)
      alone.step();
    const auto expected = alone.gather();
    differences = expected.size() == cells.size() ? 0.0 : 1.0;
    for (std::size_t i = 0; i < cells.size() && expected.size() == cells.size(); ++i)
      differences += cells[i] == expected[i] ? 0.0 : 1.0;
  }
  return largest_of_ranks(differences);
}

Verification verify(const Problem& problem, Simulation& simulation, const Simulation::Totals& start,
                    const Simulation::Totals& end) {
  // Upwind differences conserve the sum, and each new value is a mean of old ones. There are ten
  // roundings in each; sums have those of a row, a column, and of all blocks.
  const double of_steps = 10.0 * epsilon * problem.iterations;
  const double of_sum = 2.0 * epsilon * (2.0 * problem.cells + 1e3);
  Verification verification;
  verification.at_most("change of the mass", std::abs(end.mass / start.mass - 1.0),
                       of_steps + of_sum);
  verification.at_most("values above the largest of the start", end.largest - start.largest,
                       of_steps);
  verification.at_most("values below 0", -end.least, of_steps);
  verification.at_most("cells that differ from those of one rank alone, 20 steps on",
                       differences_from_one_rank(problem, simulation), 0.0);
  return verification;
}

int run(const Session& session, const CommandLine& line) {
  Problem problem = problem_of_class(line.problem_class.front());
  problem.iterations = line.iterations.value_or(problem.iterations);
  if (session.ranks() > static_cast<int>(problem.roots * problem.roots))
    return usage_error(session, syntax.program,
                       "more ranks than blocks; try: at most " +
                           std::to_string(problem.roots * problem.roots));
  if (session.is_root())
    std::printf("refine class %c: %u x %u blocks of %u x %u cells, %d iterations, %d ranks\n",
                problem.name, problem.roots, problem.roots, problem.cells, problem.cells,
                problem.iterations, session.ranks());
  Simulation simulation(problem, MPI_COMM_WORLD);
  const auto start = simulation.totals();
  const double seconds = timed_steps(problem, simulation, line.verbose && session.is_root());
  const auto end = simulation.totals();
  return finish(session, verify(problem, simulation, start, end),
                {"sum of squares", end.squares, seconds});
}

} // namespace

int main(int argc, char** argv) { return run_program(argc, argv, syntax, run); }
