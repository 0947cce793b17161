/// Set-up, one pass, the end: nothing repeats.
/// single_iteration [work in us]
#include "program.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const program::World world;
  int work = world.rank == 0 ? program::argument(argc, argv, 1, 50000) : 0;

  MPI_Bcast(&work, 1, MPI_INT, 0, MPI_COMM_WORLD);
  const double mine = program::work(work);
  double sum = 0.0;
  MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  return program::finish(world.rank != 0 || program::near(sum, world.ranks));
}
