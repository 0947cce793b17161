/// Iterations of two kinds of computation: a sweep over long arrays, in which each rank waits for
/// its memory, then a sum of all ranks; and points that turn, which is arithmetic alone, then a
/// message to the next rank and one from the rank before.

#include "common/pass_on.hpp"
#include "common/program.hpp"
#include "common/range.hpp"
#include "common/streams.hpp"
#include "mixed/problem.hpp"
#include "mixed/turns.hpp"

#include <cstdio>
#include <limits>
#include <string>

using namespace apps;
using namespace apps::mixed;

namespace {

constexpr Syntax syntax{.program = "mixed", .classes = problem_classes, .takes_iterations = true};

struct Done {
  double sum = 0;   ///< of the newest array, of all ranks
  double error = 0; ///< the largest of any sum, as a part of it
  double seconds = 0;
};

Done timed_iterations(const Problem& problem, Streams& streams, Turns& turns, PassOn& pass_on,
                      bool print) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  ExpectedSum expected(problem.length);
  Done done;
  for (int iteration = 1; iteration <= problem.iterations; ++iteration) {
    streams.sweep();
    done.sum = sum_of_ranks(streams.sum());
    done.error = larger(done.error, expected.error(done.sum));
    turns.turn(problem.turns);
    pass_on(turns.squares());
    if (print)
      std::printf("  iteration %4d  sum %.14e\n", iteration, done.sum);
  }
  done.seconds = largest_of_ranks(MPI_Wtime() - start);
  done.error = largest_of_ranks(done.error);

  return done;
}

Verification verify(const Problem& problem, const Streams& streams, const Turns& turns,
                    const PassOn& pass_on, double error) {
  const double steps = static_cast<double>(problem.turns) * problem.iterations;
  Verification verification;
  verification.at_most("distance of any sum from what it should be", error,
                       ExpectedSum(problem.length).bound());
  verification.at_most("distance of any number from what one comes to by itself",
                       largest_of_ranks(streams.error(problem.iterations)),
                       6.0 * problem.iterations * std::numeric_limits<double>::epsilon());
  verification.at_most("distance of any point from where it should be",
                       largest_of_ranks(turns.error(steps)), rounding_bound(steps));
  verification.at_most("what was heard, against what was told", pass_on.error(), pass_on.bound());
  return verification;
}

int run(const Session& session, const CommandLine& line) {
  Problem problem = problem_of_class(line.problem_class.front());
  problem.iterations = line.iterations.value_or(problem.iterations);
  const auto ranks = static_cast<std::uint32_t>(session.ranks());
  const auto rank = static_cast<std::uint32_t>(session.rank());
  if (ranks > problem.points)
    return usage_error(session, syntax.program,
                       "there are more ranks than points; try: at most " +
                           std::to_string(problem.points));
  if (session.is_root())
    std::printf("mixed class %c: 3 arrays of %u numbers, %u points, %d iterations, %d ranks\n",
                problem.name, problem.length, problem.points, problem.iterations, session.ranks());
  const Range part = part_of({0, problem.length}, ranks, rank);
  Streams streams(part.begin, part.size());
  const Range points = part_of({0, problem.points}, ranks, rank);
  Turns turns(points.begin, points.size());
  streams.sweep(); // touches all pages, and opens all connections
  PassOn{session}(sum_of_ranks(streams.sum()));
  streams.restart();

  PassOn pass_on(session);
  const Done done =
      timed_iterations(problem, streams, turns, pass_on, line.verbose && session.is_root());
  return finish(session, verify(problem, streams, turns, pass_on, done.error),
                {"mean", done.sum / problem.length, done.seconds});
}

} // namespace

int main(int argc, char** argv) { return run_program(argc, argv, syntax, run); }
