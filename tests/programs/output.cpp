/// Rank 0 writes every byte there is to stdout, without an end of the line, in an MPI program.
/// output [iterations]
#include "program.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const program::World world;
  const int iterations = program::argument(argc, argv, 1, 30);
  bool ok = true;
  for (int i = 0; i < iterations; ++i) {
    ok = ok && program::near(program::sum_of(program::work(500)), world.ranks);
    for (int byte = 0; world.rank == 0 && byte < 256; ++byte)
      std::putchar(byte);
  }
  return program::finish(ok);
}
