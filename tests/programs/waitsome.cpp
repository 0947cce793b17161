/// Each rank exchanges a number with all others and takes what has come by MPI_Waitsome, as often
/// as it takes: who comes late differs from iteration to iteration, and so does the number of
/// calls. waitsome [iterations] [work in us]
#include "program.hpp"

#include <cstddef>
#include <vector>

namespace {

void complete(std::vector<MPI_Request>& requests) {
  const int count = static_cast<int>(requests.size());
  std::vector<int> which(requests.size());
  for (int left = count; left > 0;) {
    int done = 0;
    MPI_Waitsome(count, requests.data(), &done, which.data(), MPI_STATUSES_IGNORE);
    left -= done;
  }
}

/// From 0 to 15, without a pattern.
int lateness(int iteration, int rank) {
  const auto mixed = 2654435761U * static_cast<unsigned>(64 * iteration + rank + 1);
  return static_cast<int>(mixed >> 28U);
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const program::World world;
  const int iterations = program::argument(argc, argv, 1, 50);
  const int work = program::argument(argc, argv, 2, 1500);

  bool ok = true;
  std::vector<double> numbers(static_cast<std::size_t>(world.ranks));
  for (int i = 0; i < iterations; ++i) {
    const double sent = world.rank + program::work(work + work * lateness(i, world.rank) / 32);
    std::vector<MPI_Request> requests;
    for (int other = 0; other < world.ranks; ++other)
      if (other != world.rank)
        MPI_Irecv(&numbers[static_cast<std::size_t>(other)], 1, MPI_DOUBLE, other, 0,
                  MPI_COMM_WORLD, &requests.emplace_back());
    for (int other = 0; other < world.ranks; ++other)
      if (other != world.rank)
        MPI_Send(&sent, 1, MPI_DOUBLE, other, 0, MPI_COMM_WORLD);
    complete(requests);
    for (int other = 0; other < world.ranks; ++other)
      ok = ok && (other == world.rank ||
                  program::near(numbers[static_cast<std::size_t>(other)], other + 1.0));
  }
  return program::finish(ok);
}
