/// A ring of Isend and Irecv that are completed by calling MPI_Test again and again,
/// so that the number of calls in an iteration is different every time.
/// polling [iterations] [work in us]
#include "program.hpp"

#include <array>

namespace {

/// Polls until both are complete. (A complete request is not tested again: SimGrid 3.32
/// leaves the flag of MPI_REQUEST_NULL as it was, where MPI says true.)
void complete(std::array<MPI_Request, 2>& requests) {
  for (int done = 0; done < 2;)
    for (MPI_Request& request : requests) {
      int flag = 0;
      if (request != MPI_REQUEST_NULL)
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
      done += flag;
    }
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const program::World world;
  const int iterations = program::argument(argc, argv, 1, 50);
  const int work = program::argument(argc, argv, 2, 1500);

  bool ok = true;
  for (int i = 0; i < iterations; ++i) {
    const double sent = world.rank + program::work(work + work * world.rank / 4);
    double received = 0.0;
    std::array<MPI_Request, 2> requests{};
    MPI_Irecv(&received, 1, MPI_DOUBLE, world.previous(), i, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&sent, 1, MPI_DOUBLE, world.next(), i, MPI_COMM_WORLD, &requests[1]);
    complete(requests);
    ok = ok && program::near(received, world.previous() + 1.0);
  }
  return program::finish(ok);
}
