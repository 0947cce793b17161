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

/// How many of the places of rank 0 have another key than if std::sort had sorted them.
double wrong_places(const SortTree& tree, Keys unsorted) {
  std::ranges::sort(unsorted);
  double wrong = 0.0;
  for (std::size_t i = 0; i < unsorted.size(); ++i)
    wrong += tree.sorted()[i] != unsorted[i] ? 1.0 : 0.0;
  return wrong;
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
  Verification verification;
  verification.at_most("keys that are not where they belong",
                       largest_of_ranks(session.is_root() ? wrong_places(tree, unsorted) : 0.0),
                       0.0);
  return finish(session, verification, {"median", 1.0 * median(tree), seconds});
}

} // namespace

int main(int argc, char** argv) { return run_program(argc, argv, syntax, run); }
