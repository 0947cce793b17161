/// Messages and collective operations of all kinds that a trace tells of.
/// tests/cli/trace/write_otf2.py knows the same calls: whoever changes one changes both. traced
/// [iterations]
#include "program.hpp"

#include <array>
#include <vector>

namespace {

constexpr int halo = 100000;
constexpr int most_ranks = 64;

struct Buffers {
  std::vector<char> out = std::vector<char>(halo * 2);
  std::vector<char> in = std::vector<char>(halo * 2);
};

void ring(const program::World& world, Buffers& buffers) {
  MPI_Sendrecv(buffers.out.data(), 4096, MPI_BYTE, world.next(), 1, buffers.in.data(), 4096,
               MPI_BYTE, world.previous(), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (world.rank % 2 == 0) {
    MPI_Send(buffers.out.data(), 64, MPI_BYTE, world.next(), 4, MPI_COMM_WORLD);
    MPI_Recv(buffers.in.data(), 64, MPI_BYTE, world.previous(), 4, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(buffers.in.data(), 64, MPI_BYTE, world.previous(), 4, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    MPI_Send(buffers.out.data(), 64, MPI_BYTE, world.next(), 4, MPI_COMM_WORLD);
  }
}

void exchange(const program::World& world, Buffers& buffers) {
  std::array<MPI_Request, 4> requests{};
  MPI_Irecv(buffers.in.data(), halo, MPI_BYTE, world.previous(), 2, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(buffers.in.data() + halo, halo, MPI_BYTE, world.next(), 3, MPI_COMM_WORLD,
            &requests[1]);
  MPI_Isend(buffers.out.data(), halo, MPI_BYTE, world.next(), 2, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(buffers.out.data() + halo, halo, MPI_BYTE, world.previous(), 3, MPI_COMM_WORLD,
            &requests[3]);
  MPI_Waitall(4, requests.data(), MPI_STATUSES_IGNORE);
}

void together(const program::World& world, MPI_Comm half, int iteration, Buffers& buffers) {
  std::array<double, 8> in{};
  std::array<double, 8> out{};
  MPI_Allreduce(out.data(), in.data(), 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Bcast(buffers.in.data(), 10000, MPI_BYTE, iteration % world.ranks, MPI_COMM_WORLD);
  std::array<int, std::size_t{16} * most_ranks> all{};
  MPI_Allgather(out.data(), 16, MPI_INT, all.data(), 16, MPI_INT, half);
  MPI_Alltoall(buffers.out.data(), 256, MPI_BYTE, buffers.in.data(), 256, MPI_BYTE, MPI_COMM_WORLD);
  MPI_Gather(out.data(), 8, MPI_DOUBLE, buffers.in.data(), 8, MPI_DOUBLE, 1, MPI_COMM_WORLD);
  MPI_Reduce(out.data(), in.data(), 8, MPI_DOUBLE, MPI_SUM, 0, half);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(out.data(), in.data(), 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const program::World world;
  const int iterations = program::argument(argc, argv, 1, 20);
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, world.rank % 2, world.rank, &half);
  Buffers buffers;
  for (int i = 0; i < iterations; ++i) {
    ring(world, buffers);
    exchange(world, buffers);
    together(world, half, i, buffers);
  }
  MPI_Finalize();
  return 0;
}
