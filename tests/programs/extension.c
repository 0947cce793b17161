/* Sums up by a persistent collective operation that Open MPI 4 has beyond the standard of its time.
   Exits with 77 where there is none.
   extension [iterations] [work in us] */
#include "program.h"

#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ok = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef OMPI_HAVE_MPI_EXT_PCOLLREQ
  const int iterations = argument(argc, argv, 1, 40);
  const int work_us = argument(argc, argv, 2, 1000);
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  double mine = 0.0;
  double sum = 0.0;
  MPI_Request request;
  MPIX_Allreduce_init(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  for (int i = 0; i < iterations; ++i) {
    mine = rank + work(work_us);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    ok = ok && near(sum, 0.5 * ranks * (ranks + 1));
  }
  MPI_Request_free(&request);
#endif
  MPI_Finalize();
#ifndef OMPI_HAVE_MPI_EXT_PCOLLREQ
  return 77;
#endif
  return verdict(rank, ok);
}
