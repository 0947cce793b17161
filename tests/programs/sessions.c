/* Sums up on a communicator of an MPI session; with "alone" MPI_Init is never called. Rank 0
   computes twice as long as the others.
   sessions [iterations] [work in us] [alone] */
#include "program.h"

int main(int argc, char** argv) {
  const int alone = argc > 3;
  if (!alone)
    MPI_Init(&argc, &argv);
  const int iterations = argument(argc, argv, 1, 40);
  const int work_us = argument(argc, argv, 2, 1000);
  MPI_Session session;
  MPI_Group all;
  MPI_Comm comm;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &all);
  MPI_Comm_create_from_group(all, "sessions", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
  MPI_Group_free(&all);
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  int ok = 1;
  double sum = 0.0;
  for (int i = 0; i < iterations; ++i) {
    const double mine = rank + work(rank == 0 ? 2 * work_us : work_us);
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
    ok = ok && near(sum, 0.5 * ranks * (ranks + 1));
  }
  MPI_Comm_free(&comm);
  MPI_Session_finalize(&session);
  if (!alone)
    MPI_Finalize();
  if (rank == 0)
    printf("%.6f\n", sum);
  return verdict(rank, ok);
}
