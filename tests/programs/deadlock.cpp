/// In the middle of the loop ranks 0 and 1 wait for a message of each other's.
/// deadlock [iteration] [iterations] [work in us]
#include "program.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const program::World world;
  const int last = program::argument(argc, argv, 1, 10);
  const int iterations = program::argument(argc, argv, 2, 50);
  const int work = program::argument(argc, argv, 3, 1000);

  bool ok = true;
  for (int i = 0; i < iterations; ++i) {
    ok = ok && program::near(program::sum_of(program::work(work)), world.ranks);
    if (i == last && world.ranks > 1 && world.rank < 2) {
      double never = 0.0;
      MPI_Recv(&never, 1, MPI_DOUBLE, 1 - world.rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  return program::finish(ok);
}
