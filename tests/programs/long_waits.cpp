/// The ranks compute in turn, each for so long, while all others wait for what comes of it. With
/// "alone" every rank waits for a thread of its own that sleeps: then all of them wait at once.
/// long_waits [iterations] [work in us] [alone]
#include "program.hpp"

#include <chrono>
#include <thread>

namespace {

double in_turn(const program::World& world, int work) {
  double done = 0;
  for (int turn = 0; turn < world.ranks; ++turn) {
    double result = turn == world.rank ? program::work(work) : 0;
    MPI_Bcast(&result, 1, MPI_DOUBLE, turn, MPI_COMM_WORLD);
    done += result;
  }
  return done;
}

double alone(const program::World& world, int work) {
  double result = 0;
  std::thread late([&] {
    std::this_thread::sleep_for(std::chrono::microseconds(work));
    const double sent = world.ranks;
    MPI_Send(&sent, 1, MPI_DOUBLE, world.rank, 0, MPI_COMM_WORLD);
  });
  MPI_Recv(&result, 1, MPI_DOUBLE, world.rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  late.join();
  return result;
}

} // namespace

int main(int argc, char** argv) {
  int level = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, argc > 3 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
  const program::World world;
  const int iterations = program::argument(argc, argv, 1, 60);
  const int work = program::argument(argc, argv, 2, 5000);
  double done = 0;
  for (int i = 0; i < iterations; ++i)
    done += argc > 3 ? alone(world, work) : in_turn(world, work);
  if (world.rank == 0)
    std::printf("%.6f\n", done);
  return program::finish(program::near(done, 1.0 * iterations * world.ranks));
}
