/// The master takes each round's results from MPI_ANY_SOURCE, in whatever order they
/// come, and answers who sent them.
/// wildcards [rounds] [work in us]
#include "program.hpp"

namespace {

bool master_round(const program::World& world) {
  double sum = 0.0;
  for (int k = 1; k < world.ranks; ++k) {
    double result = 0.0;
    MPI_Status status{};
    MPI_Recv(&result, 1, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    sum += result * status.MPI_SOURCE;
    MPI_Send(&result, 1, MPI_DOUBLE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD);
  }
  return std::abs(sum - 0.5 * world.ranks * (world.ranks - 1)) < 1e-6;
}

bool worker_round(const program::World& world, int work) {
  // Unequal work, so that the order of arrival is not the order of the ranks.
  const double result = program::work(work + work * (world.ranks - world.rank) / world.ranks);
  double answer = 0.0;
  MPI_Send(&result, 1, MPI_DOUBLE, 0, world.rank, MPI_COMM_WORLD);
  MPI_Recv(&answer, 1, MPI_DOUBLE, 0, world.rank, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return answer == result;
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const program::World world;
  const int rounds = program::argument(argc, argv, 1, 50);
  const int work = program::argument(argc, argv, 2, 1500);

  bool ok = true;
  for (int round = 0; round < rounds; ++round) {
    // A new round begins when all have got their answers: a fast worker must not be
    // taken twice.
    MPI_Barrier(MPI_COMM_WORLD);
    const bool right = world.rank == 0 ? master_round(world) : worker_round(world, work);
    ok = ok && right;
  }
  return program::finish(ok);
}
