/// Computes between MPI_Init and MPI_Finalize and never communicates.
/// no_communication [iterations] [work in us]
#include "program.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int iterations = program::argument(argc, argv, 1, 50);
  const int work = program::argument(argc, argv, 2, 2000);

  double sum = 0.0;
  for (int i = 0; i < iterations; ++i)
    sum += program::work(work);
  return program::finish(iterations == 0 || program::near(sum, iterations));
}
