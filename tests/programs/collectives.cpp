/// Every collective operation, blocking and not, once per round; the roots take turns.
/// collectives [rounds] [work in us]
#include "program.hpp"

#include <numeric>
#include <vector>

namespace {

/// Buffers of one int per rank, and what the v and w forms want to know about them.
struct Buffers {
  explicit Buffers(int ranks)
      : out(static_cast<std::size_t>(ranks), 1), in(out.size()), counts(out.size(), 1),
        places(out.size()), byte_places(out.size()), types(out.size(), MPI_INT) {
    std::iota(places.begin(), places.end(), 0);
    for (std::size_t i = 0; i < places.size(); ++i)
      byte_places[i] = places[i] * static_cast<int>(sizeof(int));
  }
  std::vector<int> out;
  std::vector<int> in;
  std::vector<int> counts;
  std::vector<int> places;
  std::vector<int> byte_places;
  std::vector<MPI_Datatype> types;

  int* from() { return out.data(); }
  int* to() { return in.data(); }
  const int* n() { return counts.data(); }
  const int* at() { return places.data(); }
};

void blocking(Buffers& b, int root) {
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Bcast(b.from(), 1, MPI_INT, root, MPI_COMM_WORLD);
  MPI_Gather(b.from(), 1, MPI_INT, b.to(), 1, MPI_INT, root, MPI_COMM_WORLD);
  MPI_Gatherv(b.from(), 1, MPI_INT, b.to(), b.n(), b.at(), MPI_INT, root, MPI_COMM_WORLD);
  MPI_Scatter(b.from(), 1, MPI_INT, b.to(), 1, MPI_INT, root, MPI_COMM_WORLD);
  MPI_Scatterv(b.from(), b.n(), b.at(), MPI_INT, b.to(), 1, MPI_INT, root, MPI_COMM_WORLD);
  MPI_Allgather(b.from(), 1, MPI_INT, b.to(), 1, MPI_INT, MPI_COMM_WORLD);
  MPI_Allgatherv(b.from(), 1, MPI_INT, b.to(), b.n(), b.at(), MPI_INT, MPI_COMM_WORLD);
  MPI_Alltoall(b.from(), 1, MPI_INT, b.to(), 1, MPI_INT, MPI_COMM_WORLD);
  MPI_Alltoallv(b.from(), b.n(), b.at(), MPI_INT, b.to(), b.n(), b.at(), MPI_INT, MPI_COMM_WORLD);
  MPI_Alltoallw(b.from(), b.n(), b.byte_places.data(), b.types.data(), b.to(), b.n(),
                b.byte_places.data(), b.types.data(), MPI_COMM_WORLD);
  MPI_Reduce(b.from(), b.to(), 1, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
  MPI_Reduce_scatter(b.from(), b.to(), b.n(), MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Reduce_scatter_block(b.from(), b.to(), 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Scan(b.from(), b.to(), 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Exscan(b.from(), b.to(), 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b.to(), 1, MPI_INT, MPI_COMM_WORLD);
  MPI_Allreduce(b.from(), b.to(), 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

/// Two under way at a time, completed together and one after the other.
void non_blocking(Buffers& b, int root) {
  Buffers other = b;
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  const auto all = [&] { MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); };
  MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
  MPI_Ibcast(b.from(), 1, MPI_INT, root, MPI_COMM_WORLD, &requests[1]);
  all();
  MPI_Igather(b.from(), 1, MPI_INT, b.to(), 1, MPI_INT, root, MPI_COMM_WORLD, &requests[0]);
  MPI_Iscatter(other.from(), 1, MPI_INT, other.to(), 1, MPI_INT, root, MPI_COMM_WORLD,
               &requests[1]);
  all();
  MPI_Igatherv(b.from(), 1, MPI_INT, b.to(), b.n(), b.at(), MPI_INT, root, MPI_COMM_WORLD,
               &requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Iscatterv(b.from(), b.n(), b.at(), MPI_INT, b.to(), 1, MPI_INT, root, MPI_COMM_WORLD,
                &requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Iallgather(b.from(), 1, MPI_INT, b.to(), 1, MPI_INT, MPI_COMM_WORLD, &requests[0]);
  MPI_Iallgatherv(other.from(), 1, MPI_INT, other.to(), b.n(), b.at(), MPI_INT, MPI_COMM_WORLD,
                  &requests[1]);
  all();
  MPI_Ialltoall(b.from(), 1, MPI_INT, b.to(), 1, MPI_INT, MPI_COMM_WORLD, &requests[0]);
  MPI_Ialltoallv(other.from(), b.n(), b.at(), MPI_INT, other.to(), b.n(), b.at(), MPI_INT,
                 MPI_COMM_WORLD, &requests[1]);
  all();
  MPI_Ialltoallw(b.from(), b.n(), b.byte_places.data(), b.types.data(), b.to(), b.n(),
                 b.byte_places.data(), b.types.data(), MPI_COMM_WORLD, &requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Ireduce(b.from(), b.to(), 1, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD, &requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Ireduce_scatter(b.from(), b.to(), b.n(), MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Ireduce_scatter_block(b.from(), b.to(), 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Iscan(b.from(), b.to(), 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Iexscan(b.from(), b.to(), 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Iallreduce(b.from(), b.to(), 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const program::World world;
  const int rounds = program::argument(argc, argv, 1, 3);
  const int work = program::argument(argc, argv, 2, 100);
  bool ok = true;
  for (int round = 0; round < rounds; ++round) {
    program::work(work * (world.rank + 1));
    Buffers buffers(world.ranks);
    blocking(buffers, round % world.ranks);
    ok = ok && buffers.in[0] == world.ranks;
    non_blocking(buffers, round % world.ranks);
    ok = ok && buffers.in[0] == world.ranks;
  }
  return program::finish(ok);
}
