/// A master and its workers: each round, rank 0 takes one result of each worker in turn
/// and answers it; the workers compute. The ranks' calls differ.
/// roles [rounds] [work in us]
#include "program.hpp"

namespace {

bool master_round(const program::World& world, int round) {
  bool ok = true;
  for (int worker = 1; worker < world.ranks; ++worker) {
    double result = 0.0;
    MPI_Recv(&result, 1, MPI_DOUBLE, worker, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    ok = ok && program::near(result, worker);
    const double answer = result + round;
    MPI_Send(&answer, 1, MPI_DOUBLE, worker, round, MPI_COMM_WORLD);
  }
  return ok;
}

bool worker_round(const program::World& world, int round, int work) {
  const double result = world.rank * program::work(work);
  double answer = 0.0;
  MPI_Send(&result, 1, MPI_DOUBLE, 0, round, MPI_COMM_WORLD);
  MPI_Recv(&answer, 1, MPI_DOUBLE, 0, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return program::near(answer, world.rank + round);
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const program::World world;
  const int rounds = program::argument(argc, argv, 1, 50);
  const int work = program::argument(argc, argv, 2, 2000);

  bool ok = true;
  for (int round = 0; round < rounds; ++round) {
    const bool right =
        world.rank == 0 ? master_round(world, round) : worker_round(world, round, work);
    ok = ok && right;
  }
  return program::finish(ok);
}
