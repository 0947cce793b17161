/// Says itself where an iteration begins; what it calls in one changes all the time.
/// marker [iterations] [work in us]
#include "program.hpp"

#include <hypermile/hypermile.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const program::World world;
  const int iterations = program::argument(argc, argv, 1, 50);
  const int work = program::argument(argc, argv, 2, 1500);

  bool ok = true;
  for (int i = 0; i < iterations; ++i) {
    hm_iteration();
    const double mine = program::work(work);
    for (int k = 0; k < i % 3; ++k)
      ok = ok && program::near(program::shift(world, mine), 1.0);
    if (i % 2 == 0)
      MPI_Barrier(MPI_COMM_WORLD);
    ok = ok && program::near(program::sum_of(mine), world.ranks);
  }
  return program::finish(ok);
}
