/// A halo exchange by persistent requests, started and completed in several ways.
/// persistent [iterations] [work in us]
#include "program.hpp"

#include <array>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const program::World world;
  const int iterations = program::argument(argc, argv, 1, 20);
  const int work = program::argument(argc, argv, 2, 200);

  std::array<double, 2> in{};
  std::array<double, 2> out{};
  std::array<MPI_Request, 5> requests{};
  MPI_Recv_init(in.data(), 1, MPI_DOUBLE, world.previous(), 3, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv_init(&in[1], 1, MPI_DOUBLE, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &requests[1]);
  MPI_Send_init(out.data(), 1, MPI_DOUBLE, world.next(), 3, MPI_COMM_WORLD, &requests[2]);
  MPI_Ssend_init(&out[1], 1, MPI_DOUBLE, world.next(), 4, MPI_COMM_WORLD, &requests[3]);
  MPI_Send_init(out.data(), 1, MPI_DOUBLE, MPI_PROC_NULL, 5, MPI_COMM_WORLD, &requests[4]);

  bool ok = true;
  for (int i = 0; i < iterations; ++i) {
    out = {i + program::work(work), i + 2.0};
    if (i % 2 == 0)
      MPI_Startall(4, requests.data());
    else
      for (std::size_t k = 0; k < 4; ++k)
        MPI_Start(&requests[k]);
    if (i % 3 == 0) {
      for (int done = 0, index = 0; done < 4; ++done)
        MPI_Waitany(4, requests.data(), &index, MPI_STATUS_IGNORE);
    } else if (i % 3 == 1) {
      for (std::size_t k = 0; k < 4; ++k)
        MPI_Wait(&requests[k], MPI_STATUS_IGNORE);
    } else {
      MPI_Waitall(4, requests.data(), MPI_STATUSES_IGNORE);
    }
    ok = ok && program::near(in[0], i + 1.0) && program::near(in[1], i + 2.0);
    MPI_Barrier(MPI_COMM_WORLD); // anybody's message is of this iteration
  }
  for (MPI_Request& request : requests)
    MPI_Request_free(&request);
  return program::finish(ok);
}
