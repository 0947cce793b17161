/// One rank writes to a null pointer in the middle of the loop.
/// crash [rank] [iteration] [iterations] [work in us]
#include "program.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const program::World world;
  const int victim = program::argument(argc, argv, 1, 1);
  const int last = program::argument(argc, argv, 2, 10);
  const int iterations = program::argument(argc, argv, 3, 50);
  const int work = program::argument(argc, argv, 4, 1000);

  bool ok = true;
  for (int i = 0; i < iterations; ++i) {
    if (world.rank == victim && i == last) {
      int* volatile nowhere = nullptr;
      *nowhere = 1;
    }
    ok = ok && program::near(program::sum_of(program::work(work)), world.ranks);
  }
  return program::finish(ok);
}
