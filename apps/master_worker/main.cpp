/// A series of integrals, cut into items of uneven work. Rank 0 hands them out to whoever is
/// free; the others compute.

#include "common/program.hpp"
#include "master_worker/integrand.hpp"
#include "master_worker/master.hpp"
#include "master_worker/problem.hpp"
#include "master_worker/worker.hpp"

#include <array>
#include <cmath>
#include <cstdio>

using namespace apps;
using namespace apps::master_worker;

namespace {

constexpr Syntax syntax{
    .program = "master_worker", .classes = problem_classes, .takes_iterations = true};

void serve(const Problem& problem, Master& master, bool print) {
  for (int round = 1; round <= problem.iterations; ++round) {
    const double integral = master.next();
    if (print)
      std::printf("  integral %3d  %.14e\n", round, integral);
  }
  master.end();
}

/// Checks what rank 0 knows, on every rank.
Verification verify(const Problem& problem, const Master& master, const Tally& computed) {
  std::array<double, 4> known = {master.largest_error(), master.handed_in().items,
                                 master.handed_in().evaluations,
                                 master.first_is_that_of_one_rank() ? 1.0 : 0.0};
  MPI_Bcast(known.data(), static_cast<int>(known.size()), MPI_DOUBLE, 0, MPI_COMM_WORLD);
  const double items = sum_of_ranks(computed.items);
  const double evaluations = sum_of_ranks(computed.evaluations);
  Verification verification;
  verification.at_most("largest distance of an integral from its exact value", known[0],
                       problem.tolerance + rounding_bound(problem.items));
  verification.holds("every item was computed once, and handed in",
                     items == 1.0 * problem.items * problem.iterations && items == known[1] &&
                         evaluations == known[2]);
  verification.holds("the first integral is that of one rank, to the bit", known[3] == 1.0);
  return verification;
}

int run(const Session& session, const CommandLine& line) {
  Problem problem = problem_of_class(line.problem_class.front());
  problem.iterations = line.iterations.value_or(problem.iterations);
  if (session.is_root())
    std::printf("master_worker class %c: %u items, %d iterations, %d ranks\n", problem.name,
                problem.items, problem.iterations, session.ranks());
  Master master(problem, session.ranks());
  Tally computed;
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  if (session.is_root())
    serve(problem, master, line.verbose);
  else
    computed = work();
  const double seconds = largest_of_ranks(MPI_Wtime() - start);
  if (session.ranks() == 1)
    computed = master.handed_in();
  return finish(session, verify(problem, master, computed),
                {"sum of integrals", master.checksum(), seconds});
}

} // namespace

int main(int argc, char** argv) { return run_program(argc, argv, syntax, run); }
