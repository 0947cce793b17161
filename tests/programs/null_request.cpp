/// A ring of Isend and Irecv, polled until MPI_Test says of both at once that they are complete,
/// which it must say again and again of one that was: its request is then MPI_REQUEST_NULL.
/// (SimGrid 3.32 by itself does not, so that the program never ends there.)
/// null_request [iterations] [work in us]
#include "program.hpp"

#include <array>

namespace {

void complete(std::array<MPI_Request, 2>& requests) {
  for (bool done = false; !done;) {
    done = true;
    for (MPI_Request& request : requests) {
      int flag = 0;
      MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
      done = done && flag != 0;
    }
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
