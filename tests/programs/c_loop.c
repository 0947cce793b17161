/* A halo exchange along a ring by non-blocking messages, and a sum, in C.
   c_loop [iterations] [work in us] */
#include "program.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int iterations = argument(argc, argv, 1, 50);
  const int work_us = argument(argc, argv, 2, 1500);
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
    ok = ok && near(in, previous + 1);
    MPI_Allreduce(&out, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    ok = ok && near(sum, 0.5 * ranks * (ranks + 1));
  }
  MPI_Finalize();
  return verdict(rank, ok);
}
