/* Three collective operations, and a message to nobody, that are prepared once and started in each
   iteration, in an order that differs between the ranks. Rank 0 computes twice as long as the
   others. persistent_collectives [iterations] [work in us] */
#include "program.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int iterations = argument(argc, argv, 1, 40);
  const int work_us = argument(argc, argv, 2, 1000);
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  double mine = 0.0;
  double sum = 0.0;
  double told = 0.0;
  double other_sum = 0.0;
  MPI_Request requests[4];
  MPI_Status statuses[4];
  MPI_Allreduce_init(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                     &requests[0]);
  MPI_Bcast_init_c(&told, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
  MPI_Allreduce_init(&mine, &other_sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                     &requests[2]);
  MPI_Send_init(&mine, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[3]);
  int ok = 1;
  for (int i = 0; i < iterations; ++i) {
    mine = rank + work(rank == 0 ? 2 * work_us : work_us);
    told = rank == 0 ? i : -1.0;
    if (rank % 2 == 0) {
      MPI_Startall(4, requests);
    } else {
      MPI_Startall(2, requests + 2);
      MPI_Startall(2, requests);
    }
    MPI_Waitall(4, requests, statuses);
    ok = ok && near(told, i) && near(sum, 0.5 * ranks * (ranks + 1)) && near(sum, other_sum);
  }
  for (int r = 0; r < 4; ++r)
    MPI_Request_free(&requests[r]);
  MPI_Finalize();
  if (rank == 0)
    printf("%.6f\n", sum);
  return verdict(rank, ok);
}
