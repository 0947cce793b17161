/* A message along a ring whose parts are handed over one by one. Rank 0 computes twice as long as
   the others.
   partitioned [iterations] [work in us] */
#include "program.h"

enum { parts = 4 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int iterations = argument(argc, argv, 1, 40);
  const int work_us = argument(argc, argv, 2, 1000);
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int next = (rank + 1) % ranks;
  const int previous = (rank + ranks - 1) % ranks;
  double out[parts];
  double in[parts] = {0.0};
  MPI_Request requests[2];
  MPI_Status statuses[2];
  MPI_Psend_init(out, parts, 1, MPI_DOUBLE, next, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
  MPI_Precv_init(in, parts, 1, MPI_DOUBLE, previous, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
                 &requests[1]);
  int ok = 1;
  for (int i = 0; i < iterations; ++i) {
    const double value = rank + i * work(rank == 0 ? 2 * work_us : work_us);
    MPI_Startall(2, requests);
    for (int part = 0; part < parts; ++part)
      out[part] = value + part;
    int some[] = {2, 3};
    MPI_Pready(0, requests[0]);
    MPI_Pready_range(1, 1, requests[0]);
    MPI_Pready_list(2, some, requests[0]);
    int arrived = 0;
    MPI_Parrived(requests[1], 0, &arrived);
    MPI_Waitall(2, requests, statuses);
    for (int part = 0; part < parts; ++part)
      ok = ok && near(in[part], previous + i + part);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  MPI_Finalize();
  if (rank == 0)
    printf("%.6f\n", in[0]);
  return verdict(rank, ok);
}
