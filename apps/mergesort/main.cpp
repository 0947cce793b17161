/// A merge sort that divides and conquers: rank 0 has keys, which are divided along a tree of
/// ranks, sorted by all of them, and merged on the way back. This is the DAC program of [M16],
/// which apps/README.md cites.

#include "common/program.hpp"
#include "mergesort/problem.hpp"
#include "mergesort/sort_tree.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

using namespace apps;
using namespace apps::mergesort;

namespace {

constexpr Syntax syntax{
    .program = "mergesort", .classes = problem_classes, .takes_iterations = true};

Key median(const SortTree& tree) { return tree.sorted()[tree.sorted().size() / 2]; }

double timed_sorts(const Problem& problem, SortTree& tree, const Keys& unsorted, bool print) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int iteration = 1; iteration <= problem.iterations; ++iteration) {
    tree.sort(unsorted);
    if (print)
      std::printf("  iteration %4d  median %d\n", iteration, median(tree));
  }
  return largest_of_ranks(MPI_Wtime() - start);
}

/// All ranks come to the verdict of rank 0, which has the keys. It takes much less time than a
/// sort.
Verification verify(const Session& session, const SortTree& tree, const Keys& unsorted) {
  const auto on_root = [&](bool is_true) {
    return largest_of_ranks(session.is_root() && !is_true ? 1.0 : 0.0) == 0.0;
  };
  Verification verification;
  verification.holds("all keys are in order", on_root(std::ranges::is_sorted(tree.sorted())));
  verification.holds("number, sum and sum of squares of the keys are kept",
                     on_root(KeySums(tree.sorted()) == KeySums(unsorted)));
  return verification;
}

void print_problem(const Problem& problem, int ranks) {
  std::printf("mergesort class %c: %u keys, %d iterations, %d ranks\n", problem.name, problem.keys,
              problem.iterations, ranks);
  double moves = 0.0;
  for (int rank = 0; rank < ranks; ++rank)
    moves += static_cast<double>(operations(problem, ranks, rank));
  std::printf("operations: %.6e\n", problem.iterations * moves);
}

int run(const Session& session, const CommandLine& line) {
  Problem problem = problem_of_class(line.problem_class.front());
  problem.iterations = line.iterations.value_or(problem.iterations);
  if (session.ranks() > static_cast<int>(problem.keys))
    return usage_error(session, syntax.program,
                       "there are more ranks than keys; try: at most " +
                           std::to_string(problem.keys));
  if (session.is_root())
    print_problem(problem, session.ranks());
  const Keys unsorted = session.is_root() ? problem.draw_keys() : Keys{};
  SortTree tree(problem, session.rank(), session.ranks());
  tree.sort(unsorted); // touches all pages and opens all connections, untimed

  const double seconds = timed_sorts(problem, tree, unsorted, line.verbose && session.is_root());
  return finish(session, verify(session, tree, unsorted), {"median", 1.0 * median(tree), seconds});
}

} // namespace

int main(int argc, char** argv) { return run_program(argc, argv, syntax, run); }
