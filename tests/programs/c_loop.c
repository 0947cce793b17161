/* A halo exchange along a ring by non-blocking messages, and a sum, in C.
   c_loop [iterations] [work in us] */
#include <mpi.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Computes for about so many microseconds; the result is 1. */
static double work(int microseconds) {
  double x = 2.0;
  for (int i = 0; i < microseconds; ++i)
    for (int step = 0; step < 600; ++step)
      x = 0.75 * x + 0.25;
  return x;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int iterations = argc > 1 ? atoi(argv[1]) : 50;
  const int work_us = argc > 2 ? atoi(argv[2]) : 1500;
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int next = (rank + 1) % ranks;
  const int previous = (rank + ranks - 1) % ranks;
  int ok = 1;
  for (int i = 0; i < iterations; ++i) {
    double in = 0.0;
    double sum = 0.0;
    const double out = rank + work(work_us);
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Irecv(&in, 1, MPI_DOUBLE, previous, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&out, 1, MPI_DOUBLE, next, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, statuses);
    ok = ok && fabs(in - (previous + 1)) < 1e-9;
    MPI_Allreduce(&out, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    ok = ok && fabs(sum - 0.5 * ranks * (ranks + 1)) < 1e-6;
  }
  MPI_Finalize();
  if (!ok)
    fprintf(stderr, "rank %d: wrong result\n", rank);
  return ok ? 0 : 1;
}
