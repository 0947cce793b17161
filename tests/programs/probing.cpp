/// Rank 0 looks for messages before it receives them: it knows neither sender nor size.
/// probing [rounds] [work in us]
#include "program.hpp"

#include <vector>

namespace {

bool receive_found(const MPI_Status& status) {
  int count = 0;
  MPI_Get_count(&status, MPI_DOUBLE, &count);
  std::vector<double> values(static_cast<std::size_t>(count));
  MPI_Recv(values.data(), count, MPI_DOUBLE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  return count == status.MPI_SOURCE + 1 && values.back() == status.MPI_SOURCE;
}

bool collect(const program::World& world) {
  bool ok = true;
  MPI_Status status{};
  for (int k = 1; k < world.ranks; ++k) {
    MPI_Probe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
    ok = receive_found(status) && ok;
  }
  for (int rank = 1; rank < world.ranks; ++rank) {
    for (int flag = 0; flag == 0;)
      MPI_Iprobe(rank, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
    ok = receive_found(status) && ok;
  }
  MPI_Probe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return ok;
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const program::World world;
  const int rounds = program::argument(argc, argv, 1, 5);
  const int work = program::argument(argc, argv, 2, 100);
  bool ok = true;
  for (int round = 0; round < rounds; ++round) {
    if (world.rank == 0) {
      ok = collect(world) && ok;
    } else {
      program::work(work * world.rank);
      const std::vector<double> values(static_cast<std::size_t>(world.rank) + 1, world.rank);
      for (int tag = 1; tag <= 2; ++tag)
        MPI_Send(values.data(), world.rank + 1, MPI_DOUBLE, 0, tag, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  return program::finish(ok);
}
