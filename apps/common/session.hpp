#pragma once

#include "common/larger.hpp"

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

/// The largest of the ranks' values, on every rank; infinity where one is no number.
inline double largest_of_ranks(double value) {
  value = larger(value, value); // MPI_MAX may pass over what is no number
  double result = 0;
  MPI_Allreduce(&value, &result, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return result;
}

/// The sum of the ranks' values, on every rank.
inline double sum_of_ranks(double value) {
  double result = 0;
  MPI_Allreduce(&value, &result, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return result;
}

} // namespace apps
