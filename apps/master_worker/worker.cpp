#include "master_worker/worker.hpp"

#include <mpi.h>

namespace apps::master_worker {

Tally work() {
  constexpr int master = 0;
  Tally tally;
  while (true) {
    Item item{};
    MPI_Status status{};
    MPI_Recv(&item, item_size, MPI_DOUBLE, master, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    int size = 0;
    MPI_Get_count(&status, MPI_DOUBLE, &size);
    if (size == 0)
      return tally;
    const Quadrature answer = compute(item);
    MPI_Send(&answer, answer_size, MPI_DOUBLE, master, status.MPI_TAG, MPI_COMM_WORLD);
    tally.add(answer);
  }
}

} // namespace apps::master_worker
