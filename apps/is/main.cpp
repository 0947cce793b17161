/// Integer sort after the NAS IS specification: each iteration ranks all keys by a bucket sort.

#include "common/program.hpp"
#include "is/problem.hpp"
#include "is/ranking.hpp"

#include <bit>
#include <cstdio>
#include <string>

using namespace apps;
using namespace apps::is;

namespace {

constexpr Syntax syntax{.program = "is", .classes = problem_classes};

double timed_iterations(Ranking& ranking, bool print) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int iteration = 1; iteration <= Problem::iterations; ++iteration) {
    ranking.iterate(iteration);
    if (print)
      std::printf("  iteration %2d\n", iteration);
  }
  return largest_of_ranks(MPI_Wtime() - start);
}

Verification verify(const Problem& problem, const Ranking& ranking) {
  const double seen = sum_of_ranks(ranking.checks().seen);
  const double wrong = sum_of_ranks(ranking.checks().wrong);
  const double expected =
      1.0 * Problem::iterations * static_cast<double>(problem.known_ranks.size());
  Verification verification;
  verification.holds("every published rank was looked at in every iteration", seen == expected);
  verification.at_most("ranks that are not as published", wrong, 0.0);
  verification.at_most("keys out of order at the end", ranking.out_of_order(), 0.0);
  verification.holds("number and sum of the keys are kept", ranking.kept_all());
  return verification;
}

int run(const Session& session, const CommandLine& line) {
  const Problem& problem = problem_of_class(line.problem_class.front());
  const auto ranks = static_cast<std::uint32_t>(session.ranks());
  if (!std::has_single_bit(ranks) || ranks > problem.most_ranks())
    return usage_error(session, syntax.program,
                       "the ranks cannot share the buckets; try: a power of two, at most " +
                           std::to_string(problem.most_ranks()));
  if (session.is_root())
    std::printf("is class %c: 2^%u keys below 2^%u, %zu buckets, %d iterations, %u ranks\n",
                problem.name, problem.log2_keys, problem.log2_largest_key, problem.buckets(),
                Problem::iterations, ranks);
  Ranking ranking(problem, session);
  ranking.iterate(1); // touches all pages and opens all connections, untimed
  ranking.restart();
  const double seconds = timed_iterations(ranking, line.verbose && session.is_root());
  return finish(session, verify(problem, ranking),
                {"published ranks found",
                 sum_of_ranks(ranking.checks().seen - ranking.checks().wrong), seconds});
}

} // namespace

int main(int argc, char** argv) { return run_program(argc, argv, syntax, run); }
