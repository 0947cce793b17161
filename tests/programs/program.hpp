#pragma once

#include <mpi.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

/// What the small MPI programs of the tests share. Each takes its counts from the
/// command line, computes for real, checks what it computed and received, and exits
/// with 0 if all was right and 1 otherwise.
namespace program {

/// Argument `index` as a number, or `fallback` where there is none.
inline int argument(int argc, char** argv, int index, int fallback) {
  return index < argc ? std::atoi(argv[index]) : fallback;
}

/// Computes for about `microseconds` on a core of 2025 (always the same amount of
/// arithmetic, in a chain that no compiler can shorten). The result is 1.
inline double work(int microseconds) {
  constexpr int steps_per_microsecond = 600;
  double x = 2.0;
  for (int i = 0; i < microseconds; ++i)
    for (int step = 0; step < steps_per_microsecond; ++step)
      x = 0.75 * x + 0.25;
  return x;
}

inline bool near(double value, double expected) {
  return std::abs(value - expected) <= 1e-9 * std::abs(expected);
}

struct World {
  int rank = 0;
  int ranks = 1;

  World() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  }
  [[nodiscard]] int next() const { return (rank + 1) % ranks; }
  [[nodiscard]] int previous() const { return (rank + ranks - 1) % ranks; }
};

/// Sum over all ranks.
inline double sum_of(double value) {
  double sum = 0.0;
  MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

/// Gives `value` to the next rank, returns the one of the previous rank.
inline double shift(const World& world, double value) {
  double received = 0.0;
  MPI_Sendrecv(&value, 1, MPI_DOUBLE, world.next(), 0, &received, 1, MPI_DOUBLE, world.previous(),
               0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return received;
}

/// Ends the program; the result is main's.
inline int finish(bool ok) {
  if (!ok)
    std::fprintf(stderr, "rank %d: wrong result\n", World().rank);
  MPI_Finalize();
  return ok ? 0 : 1;
}

} // namespace program
