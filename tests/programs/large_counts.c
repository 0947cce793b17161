/* Messages and collectives with counts of type MPI_Count, and the combined sends and receives of
   MPI 4.0: along a ring, of which rank 0 computes twice as long as the others.
   large_counts [iterations] [work in us] */
#include "program.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int iterations = argument(argc, argv, 1, 40);
  const int work_us = argument(argc, argv, 2, 1000);
  MPI_Comm comm;
  MPI_Request made;
  MPI_Comm_idup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &comm, &made);
  MPI_Wait(&made, MPI_STATUS_IGNORE);
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  const int next = (rank + 1) % ranks;
  const int previous = (rank + ranks - 1) % ranks;
  const MPI_Count one = 1;
  int ok = 1;
  double sum = 0.0;
  for (int i = 0; i < iterations; ++i) {
    double in = 0.0;
    double out = rank + work(rank == 0 ? 2 * work_us : work_us);
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Irecv_c(&in, one, MPI_DOUBLE, previous, 0, comm, &requests[0]);
    MPI_Isend_c(&out, one, MPI_DOUBLE, next, 0, comm, &requests[1]);
    MPI_Waitall(2, requests, statuses);
    ok = ok && near(in, previous + 1);
    MPI_Isendrecv(&out, 1, MPI_DOUBLE, next, 1, &in, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 1, comm,
                  &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Isendrecv_replace_c(&out, one, MPI_DOUBLE, previous, 2, next, 2, comm, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    ok = ok && near(in, previous + 1) && near(out, next + 1);
    MPI_Allreduce_c(&in, &sum, one, MPI_DOUBLE, MPI_SUM, comm);
    ok = ok && near(sum, 0.5 * ranks * (ranks + 1));
  }
  MPI_Comm_free(&comm);
  MPI_Finalize();
  if (rank == 0)
    printf("%.6f\n", sum);
  return verdict(rank, ok);
}
