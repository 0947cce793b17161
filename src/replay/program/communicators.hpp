#pragma once

#include "model/timeline.hpp"

#include <mpi.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace hypermile::replay {

/// The communicators of one rank, by their numbers in the recorded run.
class Communicators {
public:
  struct Communicator {
    MPI_Comm handle = MPI_COMM_NULL;
    std::vector<int> rank_of; ///< by world rank; MPI_PROC_NULL: no member
  };

  Communicators(int rank, int ranks);
  /// Throws Error{config} for one that the run has not made by then.
  [[nodiscard]] const Communicator& at(std::uint64_t number) const;
  [[nodiscard]] bool has(std::uint64_t number) const { return known_.contains(number); }

  /// All members of `parent` call this function, as they did in the run.
  void make(const Communicator& parent, const std::string& function,
            const model::Arguments& arguments);
  /// Only the members of the new one do.
  void make_by_members(const model::Arguments& arguments);

private:
  void keep(const model::Arguments& arguments, MPI_Comm made);
  static bool keeps_order(const Communicator& parent, const model::Arguments& arguments);
  [[nodiscard]] MPI_Group group_of(const model::Arguments& arguments) const;

  int rank_;
  int ranks_;
  std::unordered_map<std::uint64_t, Communicator> known_;
};

} // namespace hypermile::replay
