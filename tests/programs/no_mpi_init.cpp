/// Built as an MPI program, but never calls MPI.
/// no_mpi_init [iterations] [work in us]
#include "program.hpp"

int main(int argc, char** argv) {
  const int iterations = program::argument(argc, argv, 1, 50);
  const int work = program::argument(argc, argv, 2, 1000);

  double sum = 0.0;
  for (int i = 0; i < iterations; ++i)
    sum += program::work(work);
  return iterations == 0 || program::near(sum, iterations) ? 0 : 1;
}
