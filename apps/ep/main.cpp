/// Embarrassingly parallel, after the NAS EP specification: pairs of Gaussian random
/// numbers, counted by size. All the communication is three sums at the end.

#include "common/program.hpp"
#include "ep/problem.hpp"
#include "kernels/ep.hpp"

#include <cstdint>
#include <cstdio>

using namespace apps;
using namespace apps::ep;
using hypermile::kernels::EpTally;

namespace {

/// This rank's share of the batches, a contiguous piece.
EpTally tally_of_rank(const Problem& problem, std::uint64_t rank, std::uint64_t ranks) {
  EpTally tally;
  const std::uint64_t end = problem.batches() * (rank + 1) / ranks;
  for (std::uint64_t batch = problem.batches() * rank / ranks; batch < end; ++batch)
    tally += hypermile::kernels::ep_batch(batch);
  return tally;
}

EpTally sum_over_ranks(const EpTally& mine) {
  EpTally all;
  MPI_Allreduce(&mine.sum_x, &all.sum_x, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(&mine.sum_y, &all.sum_y, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(mine.annuli.data(), all.annuli.data(), static_cast<int>(all.annuli.size()),
                MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

void print(const Problem& problem, const EpTally& tally, bool verbose) {
  if (verbose)
    for (std::size_t i = 0; i < tally.annuli.size(); ++i)
      std::printf("  pairs of size %zu to %zu: %lld\n", i, i + 1,
                  static_cast<long long>(tally.annuli[i]));
  std::printf("accepted pairs: %lld\n", static_cast<long long>(tally.accepted()));
  std::printf("sum x: %.15e (expected %.15e)\n", tally.sum_x, problem.sum_x);
  std::printf("sum y: %.15e (expected %.15e)\n", tally.sum_y, problem.sum_y);
}

constexpr Syntax syntax{.program = "ep", .classes = problem_classes};

int run(const Session& session, const CommandLine& line) {
  const Problem& problem = problem_of_class(line.problem_class.front());
  if (session.is_root())
    std::printf("ep class %c: 2^%u pairs, %d ranks\n", problem.name, problem.log2_pairs,
                session.ranks());
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  const EpTally tally =
      sum_over_ranks(tally_of_rank(problem, static_cast<std::uint64_t>(session.rank()),
                                   static_cast<std::uint64_t>(session.ranks())));
  const double seconds = largest_of_ranks(MPI_Wtime() - start);

  const bool verified = problem.verified(tally.sum_x, tally.sum_y);
  if (session.is_root()) {
    print(problem, tally, line.verbose);
    std::printf("verification: %s\n", verified ? "successful" : "FAILED");
    std::printf("time: %.3f s\n", seconds);
    std::printf("rate: %.1f Mop/s\n", seconds > 0 ? problem.operations() / seconds / 1e6 : 0.0);
  }
  return verified ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) { return run_program(argc, argv, syntax, run); }
