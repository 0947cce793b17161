/* A job for the rack: beat ITERATIONS MILLIONS [SHARE]. In each iteration a rank computes, and then
   all ranks exchange a number. Even ranks compute SHARE per cent (60, if not given) of what odd
   ranks do, which are MILLIONS of steps. All arithmetic is of integers: an emulated processor is
   slow with others. The last number is the same in every run. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned compute(unsigned seed, long steps) {
  for (long k = 0; k < steps; ++k)
    seed = seed * 1664525u + 1013904223u;
  return seed;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int iterations = argc > 1 ? atoi(argv[1]) : 100;
  const double millions = argc > 2 ? atof(argv[2]) : 10;
  const double share = argc > 3 ? atof(argv[3]) : 60;
  const long steps = (long)(millions * 1e6 * (rank % 2 ? 1 : share / 100));
  unsigned own = 1;
  unsigned all = 0;
  const double start = MPI_Wtime();
  for (int i = 0; i < iterations; ++i) {
    own = compute(own, steps);
    MPI_Allreduce(&own, &all, 1, MPI_UNSIGNED, MPI_BXOR, MPI_COMM_WORLD);
  }
  if (rank == 0)
    printf("beat: %d iterations in %.3f s, %08x\n", iterations, MPI_Wtime() - start, all);
  MPI_Finalize();
  return 0;
}
