/// Work and a shift along the ring; at each tenth iteration a gather as well.
/// every_tenth [iterations] [work in us]
#include "program.hpp"

#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const program::World world;
  const int iterations = program::argument(argc, argv, 1, 60);
  const int work = program::argument(argc, argv, 2, 1500);

  bool ok = true;
  std::vector<double> all(static_cast<std::size_t>(world.ranks), 0.0);
  for (int i = 1; i <= iterations; ++i) {
    const double value = program::shift(world, world.rank + program::work(work));
    ok = ok && program::near(value, world.previous() + 1.0);
    if (i % 10 != 0)
      continue;
    MPI_Gather(&value, 1, MPI_DOUBLE, all.data(), 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    ok = ok && (world.rank != 0 || program::near(all[0], world.ranks));
  }
  return program::finish(ok);
}
