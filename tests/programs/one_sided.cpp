/// Messages, and then one-sided communication: every rank puts its number into the next one's
/// window.
/// one_sided [rounds] [work in us]
#include "program.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const program::World world;
  const int rounds = program::argument(argc, argv, 1, 5);
  const int work = program::argument(argc, argv, 2, 100);
  bool ok = true;
  for (int round = 0; round < rounds; ++round)
    ok = program::near(program::shift(world, program::work(work)), 1) && ok;
  double slot = -1;
  MPI_Win window = MPI_WIN_NULL;
  MPI_Win_create(&slot, sizeof slot, sizeof slot, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  const double value = world.rank;
  for (int round = 0; round < rounds; ++round) {
    MPI_Win_fence(0, window);
    MPI_Put(&value, 1, MPI_DOUBLE, world.next(), 0, 1, MPI_DOUBLE, window);
    MPI_Win_fence(0, window);
    ok = slot == world.previous() && ok;
  }
  MPI_Win_free(&window);
  return program::finish(ok);
}
