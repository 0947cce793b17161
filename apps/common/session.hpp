#pragma once

#include <mpi.h>

namespace apps {

/// Between MPI_Init and MPI_Finalize, by scope.
class Session {
public:
  Session(int* argc, char*** argv) {
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
  }
  ~Session() { MPI_Finalize(); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int ranks() const { return ranks_; }
  [[nodiscard]] bool is_root() const { return rank_ == 0; }

private:
  int rank_ = 0;
  int ranks_ = 1;
};

/// The longest of the ranks' times, on every rank.
inline double longest(double seconds) {
  double result = 0;
  MPI_Allreduce(&seconds, &result, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return result;
}

} // namespace apps
