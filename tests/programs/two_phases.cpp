/// Two loops in turn: an even one that shifts along a ring, then an uneven one (rank r
/// works 1 + r / 2 times as long) of a broadcast and a sum. Where they come more than
/// once, each time has another number of iterations.
/// two_phases [iterations of each] [work in us] [times]
#include "program.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const program::World world;
  const int iterations = program::argument(argc, argv, 1, 40);
  const int work = program::argument(argc, argv, 2, 1000);
  const int times = program::argument(argc, argv, 3, 1);

  bool ok = true;
  for (int time = 0; time < times; ++time) {
    const int more = time * 7 % 5; // 0 2 4 1 3
    for (int i = 0; i < iterations + more; ++i) {
      const double value = program::shift(world, world.rank + program::work(work));
      ok = ok && program::near(value, world.previous() + 1.0);
    }
    for (int i = 0; i < iterations + 2 * more; ++i) {
      double factor = world.rank == 0 ? i + 1.0 : 0.0;
      MPI_Bcast(&factor, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
      const double value = factor * program::work(work + work * world.rank / 2);
      ok = ok && program::near(program::sum_of(value), (i + 1.0) * world.ranks);
    }
  }
  return program::finish(ok);
}
