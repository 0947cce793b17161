/// Sweeps over arrays that are much longer than the caches: each rank has a part of them, and waits
/// for its memory nearly all of the time. In each iteration the ranks add up what they have.

#include "common/pass_on.hpp"
#include "common/program.hpp"
#include "common/range.hpp"
#include "common/streams.hpp"
#include "triad/problem.hpp"

#include <cstdio>
#include <limits>

using namespace apps;
using namespace apps::triad;

namespace {

constexpr Syntax syntax{.program = "triad", .classes = problem_classes, .takes_iterations = true};

double timed_sweeps(const Problem& problem, Streams& streams, PassOn& pass_on, bool print) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int iteration = 1; iteration <= problem.iterations; ++iteration) {
    streams.sweep();
    const double sum = streams.sum();
    pass_on(sum);
    if (print)
      std::printf("  iteration %4d  sum of rank 0 %.14e\n", iteration, sum);
  }
  return largest_of_ranks(MPI_Wtime() - start);
}

/// Two products and a sum round in each sweep; what was wrong before counts once more at most, as
/// the weights are positive and add up to 1.
double rounding_bound(int sweeps) {
  constexpr double largest = 2; // no value is larger
  return 3.0 * sweeps * std::numeric_limits<double>::epsilon() * largest;
}

int run(const Session& session, const CommandLine& line) {
  Problem problem = problem_of_class(line.problem_class.front());
  problem.iterations = line.iterations.value_or(problem.iterations);
  if (session.is_root())
    std::printf("triad class %c: 3 arrays of %u numbers, %d iterations, %d ranks\n", problem.name,
                problem.length, problem.iterations, session.ranks());
  const Range part = part_of({0, problem.length}, static_cast<std::uint32_t>(session.ranks()),
                             static_cast<std::uint32_t>(session.rank()));
  Streams streams(part.begin, part.size());
  streams.sweep(); // touches all pages, and opens all connections
  PassOn{session}(streams.sum());
  streams.restart();

  PassOn pass_on(session);
  const double seconds = timed_sweeps(problem, streams, pass_on, line.verbose && session.is_root());
  Verification verification;
  verification.at_most("distance of any number from what one comes to by itself",
                       largest_of_ranks(streams.error(problem.iterations)),
                       rounding_bound(problem.iterations));
  verification.at_most("what was heard, against what was told", pass_on.error(), pass_on.bound());
  return finish(session, verification,
                {"mean", sum_of_ranks(streams.sum()) / problem.length, seconds});
}

} // namespace

int main(int argc, char** argv) { return run_program(argc, argv, syntax, run); }
