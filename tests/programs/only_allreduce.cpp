/// The whole of the communication is one call in one place.
/// only_allreduce [iterations] [work in us]
#include "program.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const program::World world;
  const int iterations = program::argument(argc, argv, 1, 60);
  const int work = program::argument(argc, argv, 2, 2000);

  bool ok = true;
  for (int i = 0; i < iterations; ++i)
    ok = ok && program::near(program::sum_of(program::work(work)), world.ranks);
  return program::finish(ok);
}
