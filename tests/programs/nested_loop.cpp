/// Outer iterations, each with 3 to 7 inner ones (work, shift along the ring) and a sum.
/// nested_loop [outer iterations] [work in us]
#include "program.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const program::World world;
  const int iterations = program::argument(argc, argv, 1, 30);
  const int work = program::argument(argc, argv, 2, 1000);

  bool ok = true;
  for (int outer = 0; outer < iterations; ++outer) {
    const int inner = 3 + (outer * outer + outer / 3) % 5;
    double value = world.rank;
    for (int i = 0; i < inner; ++i)
      value = program::shift(world, value * program::work(work));
    const int from = ((world.rank - inner) % world.ranks + world.ranks) % world.ranks;
    ok = ok && std::abs(value - from) < 1e-9;
    const double all = program::sum_of(value);
    ok = ok && std::abs(all - 0.5 * world.ranks * (world.ranks - 1)) < 1e-9;
  }
  return program::finish(ok);
}
