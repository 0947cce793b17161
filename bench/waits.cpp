/// What waiting costs a program, for bench/gentle_wait. Prints a line per case: a name, and a time
/// in microseconds, the median of all rounds. Of what two ranks do it is the largest of their own;
/// of broadcasts, of which a rank's own time has the waiting for those that leave the barrier
/// before it later, it is from where the last rank begins to where the last one ends, as the
/// clock has it that all ranks of a node share; of *_and_barrier, that of a whole round. Of late_*
/// it is the CPU time of a rank per second that it waits.
/// waits [rounds [large messages in MiB]]
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

namespace {

int rank = 0;
int ranks = 1;

constexpr int small_calls = 100;

double now(clockid_t clock = CLOCK_MONOTONIC) {
  timespec time{};
  clock_gettime(clock, &time);
  return 1e6 * static_cast<double>(time.tv_sec) + 1e-3 * static_cast<double>(time.tv_nsec);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Of the slowest rank.
void print(const std::string& name, double own) {
  double most = 0;
  MPI_Allreduce(&own, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0)
    std::printf("%s %.3f\n", name.c_str(), most);
}

template <class Doing> void time_of(const std::string& name, int rounds, const Doing& doing) {
  std::vector<double> times;
  for (int round = 0; round < rounds; ++round) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = now();
    doing();
    times.push_back(now() - begin);
  }
  print(name, median(std::move(times)));
}

/// From the last begin to the last end, and from one begin on rank 0 to the next.
void time_bcast(const std::string& name, int rounds, char* bytes, int count) {
  std::vector<double> begins;
  std::vector<double> ends;
  for (int round = 0; round < rounds; ++round) {
    MPI_Barrier(MPI_COMM_WORLD);
    begins.push_back(now());
    MPI_Bcast(bytes, count, MPI_BYTE, 0, MPI_COMM_WORLD);
    ends.push_back(now());
  }
  std::vector<double> whole;
  for (std::size_t i = 1; rank == 0 && i < begins.size(); ++i)
    whole.push_back(begins[i] - begins[i - 1]);
  for (auto* const times : {&begins, &ends})
    MPI_Allreduce(MPI_IN_PLACE, times->data(), rounds, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  for (std::size_t i = 0; i < ends.size(); ++i)
    ends[i] -= begins[i];
  print(name, median(std::move(ends)));
  print(name + "_and_barrier", rank == 0 ? median(std::move(whole)) : 0);
}

/// Rank 0 comes 0.3 s late, and does not keep a core busy until then.
template <class Doing> void late(const std::string& name, const Doing& doing) {
  constexpr long late_ns = 300'000'000;
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = now();
  const double cpu = now(CLOCK_PROCESS_CPUTIME_ID);
  if (rank == 0) {
    const timespec until{0, late_ns};
    nanosleep(&until, nullptr);
  }
  doing();
  const double share =
      1e6 * (now(CLOCK_PROCESS_CPUTIME_ID) - cpu) / std::max(now() - begin, 1e-3 * late_ns);
  print("late_" + name, rank == 0 ? 0 : share);
}

void late_root(std::vector<char>& data) {
  auto* const bytes = data.data();
  const auto large = static_cast<int>(data.size());
  MPI_Bcast(bytes, large, MPI_BYTE, 0, MPI_COMM_WORLD); // the first one takes memory, too
  late("bcast", [&] { MPI_Bcast(bytes, 8, MPI_BYTE, 0, MPI_COMM_WORLD); });
  late("large_bcast", [&] { MPI_Bcast(bytes, large, MPI_BYTE, 0, MPI_COMM_WORLD); });
  late("barrier", [] { MPI_Barrier(MPI_COMM_WORLD); });
  late("allreduce", [] {
    const double value = 1;
    double sum = 0;
    MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  });
  late("recv", [&] {
    if (rank != 0)
      MPI_Recv(bytes, 8, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int other = 1; rank == 0 && other < ranks; ++other)
      MPI_Send(bytes, 8, MPI_BYTE, other, 0, MPI_COMM_WORLD);
  });
  late("waitall", [&] {
    std::vector<MPI_Request> requests(rank == 0 ? static_cast<std::size_t>(ranks - 1) : 1);
    if (rank != 0)
      MPI_Irecv(bytes, large, MPI_BYTE, 0, 0, MPI_COMM_WORLD, requests.data());
    for (int other = 1; rank == 0 && other < ranks; ++other)
      MPI_Isend(bytes, large, MPI_BYTE, other, 0, MPI_COMM_WORLD,
                &requests[static_cast<std::size_t>(other - 1)]);
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  });
  late("large_send", [&] {
    if (rank != 0)
      MPI_Send(bytes, large, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    for (int other = 1; rank == 0 && other < ranks; ++other)
      MPI_Recv(bytes, large, MPI_BYTE, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  });
}

/// Between ranks 0 and 1.
void ping_pong(char* bytes, int count) {
  for (int turn = 0; rank < 2 && turn < 2; ++turn)
    if (rank == turn)
      MPI_Send(bytes, count, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD);
    else
      MPI_Recv(bytes, count, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/// The send comes first: Open MPI copies a large message whose sender was earlier inside MPI_Irecv,
/// and a send behind that would be late, however little earlier the other rank came.
void exchange(char* out, char* in, int count) {
  MPI_Request requests[2]; // NOLINT: MPI's
  if (rank > 1)
    return;
  MPI_Isend(out, count, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(in, count, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

void prompt(int rounds, std::vector<char>& data, std::vector<char>& other) {
  auto* const bytes = data.data();
  const auto large = static_cast<int>(data.size());
  const int medium = std::min(large, 4 << 20);
  const std::string size = std::to_string(large >> 20) + "MiB";
  time_bcast("bcast_4MiB", rounds, bytes, medium);
  time_of("ping_pong_4MiB", rounds, [&] { ping_pong(bytes, medium); });
  time_of("exchange_4MiB", rounds, [&] { exchange(bytes, other.data(), medium); });
  const int few = std::max(rounds / 8, 3);
  time_bcast("bcast_" + size, few, bytes, large);
  time_of("ping_pong_" + size, few, [&] { ping_pong(bytes, large); });
  time_of("exchange_" + size, few, [&] { exchange(bytes, other.data(), large); });
  time_of("100_ping_pongs_8B", rounds, [&] {
    for (int i = 0; i < small_calls; ++i)
      ping_pong(bytes, 8);
  });
  time_of("100_allreduces_8B", rounds, [&] {
    for (int i = 0; i < small_calls; ++i)
      MPI_Allreduce(MPI_IN_PLACE, bytes, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  });
  time_of("100_bcasts_8B", rounds, [&] {
    for (int i = 0; i < small_calls; ++i)
      MPI_Bcast(bytes, 8, MPI_BYTE, 0, MPI_COMM_WORLD);
  });
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 24;
  const int large_mib = argc > 2 ? std::atoi(argv[2]) : 64;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::vector<char> data(static_cast<std::size_t>(large_mib) << 20U);
  std::vector<char> other(data.size());
  late_root(data);
  prompt(rounds, data, other);
  MPI_Finalize();
  return 0;
}
