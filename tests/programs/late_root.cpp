/// Rank 0 comes late to everything, and does not compute until then. Prints the CPU time that all
/// others need to wait for it, in seconds.
/// late_root [lateness in ms]
#include "program.hpp"

#include <ctime>

namespace {

double cpu_time() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void sleep_for(int milliseconds) {
  const timespec time{milliseconds / 1000, 1'000'000L * (milliseconds % 1000)};
  nanosleep(&time, nullptr);
}

template <class Doing>
bool late(const program::World& world, int milliseconds, const Doing& doing) {
  if (world.rank == 0)
    sleep_for(milliseconds);
  return doing();
}

/// From rank 0 to all others.
bool receive(const program::World& world) {
  int value = 5;
  for (int other = 1; world.rank == 0 && other < world.ranks; ++other)
    MPI_Send(&value, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
  if (world.rank != 0) {
    value = 0;
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  return value == 5;
}

bool wait(const program::World& world) {
  int value = 6;
  MPI_Request request = MPI_REQUEST_NULL;
  for (int other = 1; world.rank == 0 && other < world.ranks; ++other)
    MPI_Send(&value, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
  if (world.rank != 0) {
    value = 0;
    MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
  }
  MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
  return value == 6;
}

/// Too much to be sent before it is received.
bool send(const program::World& world) {
  static char data[1 << 22]; // NOLINT
  for (int other = 1; world.rank == 0 && other < world.ranks; ++other)
    MPI_Recv(data, sizeof data, MPI_CHAR, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (world.rank != 0) {
    data[0] = 1;
    MPI_Send(data, sizeof data, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
  }
  return data[0] == 1;
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const program::World world;
  const int milliseconds = program::argument(argc, argv, 1, 200);
  const double begin = cpu_time();
  bool ok = true;
  const auto all = [&](const auto& doing) { ok = late(world, milliseconds, doing) && ok; };
  all([&] {
    int value = world.rank == 0 ? 4 : 0;
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return value == 4;
  });
  all([&] { return MPI_Barrier(MPI_COMM_WORLD) == MPI_SUCCESS; });
  all([&] { return program::sum_of(1) == world.ranks; });
  all([&] { return receive(world); });
  all([&] { return wait(world); });
  all([&] { return send(world); });
  const double own = world.rank == 0 ? 0 : cpu_time() - begin;
  const double needed = program::sum_of(own);
  if (world.rank == 0)
    std::printf("%.6f\n", needed);
  return program::finish(ok);
}
