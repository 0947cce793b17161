/// What hypermile costs an MPI call: loops of small calls, by the names that programs use, which
/// hypermile stands in front of where it is loaded, and by the addresses of the MPI library's own
/// functions, in turn in one run. Prints the least times of all rounds, as noise only adds.
/// mpi_calls [rounds] [calls per round]
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <dlfcn.h>
#include <link.h>
#include <string_view>

namespace {

struct Functions {
  decltype(&MPI_Send) send;
  decltype(&MPI_Recv) receive;
  decltype(&MPI_Allreduce) allreduce;
};

/// The MPI library itself, wherever it was loaded from.
void* mpi_library() {
  const char* path = nullptr;
  dl_iterate_phdr(
      [](dl_phdr_info* loaded, std::size_t, void* found) {
        const std::string_view name = loaded->dlpi_name;
        const bool is_mpi =
            name.find("/libmpi.so") != name.npos || name.find("/libmpich.so") != name.npos;
        if (is_mpi)
          *static_cast<const char**>(found) = loaded->dlpi_name;
        return is_mpi ? 1 : 0;
      },
      static_cast<void*>(&path));
  return path == nullptr ? nullptr : dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
}

template <class Pointer> Pointer own(void* library, const char* name) {
  void* const symbol = library == nullptr ? nullptr : dlsym(library, name);
  if (symbol == nullptr) {
    std::fprintf(stderr, "mpi_calls: the MPI library has no %s\n", name);
    std::exit(1);
  }
  return reinterpret_cast<Pointer>(symbol);
}

double now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void ping_pong(const Functions& mpi, int rank, int calls) {
  double value = 1.0;
  for (int i = 0; i < calls / 2; ++i) {
    if (rank == 0)
      mpi.send(&value, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    mpi.receive(&value, 1, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1)
      mpi.send(&value, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
  }
}

void sums(const Functions& mpi, MPI_Comm comm, int calls) {
  double value = 1.0;
  double sum = 0.0;
  for (int i = 0; i < calls; ++i)
    mpi.allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
}

struct Least {
  double wrapped = 1e9;
  double own = 1e9;
};

template <class Loop>
Least least(const Functions& wrapped, const Functions& own, int rounds, const Loop& loop) {
  Least least;
  for (int round = 0; round < rounds; ++round)
    for (const bool through_hypermile : {false, true}) {
      own.allreduce(MPI_IN_PLACE, &least.own, 0, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
      const double begin = now();
      loop(through_hypermile ? wrapped : own);
      double& time = through_hypermile ? least.wrapped : least.own;
      time = std::min(time, now() - begin);
    }
  return least;
}

void print(const char* name, const Least& least, int calls) {
  const double per_call = 1e9 / static_cast<double>(calls);
  std::printf("  %-34s %8.1f ns  + %6.1f ns by hypermile\n", name, least.own * per_call,
              (least.wrapped - least.own) * per_call);
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 600;
  const int calls = argc > 2 ? std::atoi(argv[2]) : 2000;
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  void* const library = mpi_library();
  const Functions wrapped{MPI_Send, MPI_Recv, MPI_Allreduce};
  const Functions own{::own<decltype(&MPI_Send)>(library, "PMPI_Send"),
                      ::own<decltype(&MPI_Recv)>(library, "PMPI_Recv"),
                      ::own<decltype(&MPI_Allreduce)>(library, "PMPI_Allreduce")};

  const Least alone =
      least(wrapped, own, rounds, [&](const Functions& mpi) { sums(mpi, MPI_COMM_SELF, calls); });
  Least messages;
  if (ranks == 2)
    messages =
        least(wrapped, own, rounds, [&](const Functions& mpi) { ping_pong(mpi, rank, calls); });
  const Least together =
      least(wrapped, own, rounds, [&](const Functions& mpi) { sums(mpi, MPI_COMM_WORLD, calls); });
  if (rank == 0) {
    print("Allreduce, 8 bytes, of one rank", alone, calls);
    if (ranks == 2)
      print("Send and Recv, 8 bytes, ping-pong", messages, calls);
    print("Allreduce, 8 bytes, of all ranks", together, calls);
  }
  MPI_Finalize();
  return 0;
}
