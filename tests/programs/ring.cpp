/// A token goes round and each rank works on it in turn: the ranks never overlap.
/// ring [rounds] [work in us]
#include "program.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const program::World world;
  const int rounds = program::argument(argc, argv, 1, 50);
  const int work = program::argument(argc, argv, 2, 2000);

  double token = 0.0;
  for (int round = 0; round < rounds && world.ranks > 1; ++round) {
    if (world.rank > 0)
      MPI_Recv(&token, 1, MPI_DOUBLE, world.previous(), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    token += program::work(work);
    MPI_Send(&token, 1, MPI_DOUBLE, world.next(), 0, MPI_COMM_WORLD);
    if (world.rank == 0)
      MPI_Recv(&token, 1, MPI_DOUBLE, world.previous(), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  const bool complete = std::abs(token - double{1} * rounds * world.ranks) < 1e-6;
  return program::finish(world.rank != 0 || world.ranks == 1 || complete);
}
