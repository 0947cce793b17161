#pragma once

#include "model/timeline.hpp"

#include <mpi.h>

#include <string>
#include <unordered_map>
#include <vector>

namespace hypermile::replay {

/// Memory for all messages of all ranks: what is in it does not matter.
struct Buffers {
  void* out;
  void* in;
};

/// Makes the collective calls of one rank.
class Collectives {
public:
  explicit Collectives(Buffers buffers);

  struct Call {
    const std::string& function; ///< of the run, e.g. "Iallreduce"
    std::uint32_t number;        ///< of the arguments: the same number for the same ones
    const model::Arguments& arguments;
    MPI_Comm comm;
    int root; ///< in `comm`
  };
  /// `request`: of a call that does not wait; null: it does. Throws Error{config} for a function
  /// that is none of these, or a message of 2 GiB or more.
  void make(const Call& call, MPI_Request* request);

private:
  /// Counts and places as MPI wants them.
  struct Blocks {
    MPI_Datatype type = MPI_BYTE;
    std::vector<int> counts;
    std::vector<int> places;
    [[nodiscard]] int count() const { return counts.empty() ? 0 : counts.front(); }
  };
  struct Prepared {
    Blocks out;
    Blocks in;
  };
  static Blocks prepare(const model::Arguments::Blocks& blocks);
  const Prepared& prepared(const Call& call);

  Buffers buffers_;
  MPI_Op nothing_ = MPI_OP_NULL;
  /// A call that does not wait may look at these until it is complete.
  std::unordered_map<std::uint32_t, Prepared> prepared_;
};

} // namespace hypermile::replay
