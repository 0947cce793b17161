#pragma once

#include <mpi.h>

#include <cstddef>
#include <string_view>
#include <vector>

/// The operations that our programs time, and what they do with memory.
namespace hypermile::tune {

enum class Operation { bcast, allreduce, allgather, alltoall, scatter };

/// Throws std::runtime_error.
[[nodiscard]] Operation operation_named(std::string_view name);

/// In a broadcast the buffer is the one that is sent. The size of a scatter is that of the part of
/// each.
struct Buffers {
  char* send = nullptr;
  char* receive = nullptr;
};
/// How long both are for one message of this size.
struct Lengths {
  std::size_t send_b = 0;
  std::size_t receive_b = 0;
};
[[nodiscard]] Lengths lengths_of(Operation operation, int size_b, int ranks);

/// Vectors of doubles are added, everything else is bytes. `size_b`: as src/collective/registry.hpp
/// has it. `root`: of operations that have one.
void perform(Operation operation, const Buffers& buffers, int size_b, int root,
             MPI_Comm communicator);

/// Buffers that each rank has touched, with data of which every byte can be checked.
class CheckedBuffers {
public:
  /// For messages up to this size among so many ranks.
  CheckedBuffers(Operation operation, int largest_b, int ranks);

  [[nodiscard]] Buffers buffers() { return {send_.data(), receive_.data()}; }
  /// Something else than what must arrive is in all that is received. `round`: tells one operation
  /// from another.
  void fill(int size_b, int root, int round, MPI_Comm communicator);
  /// Throws std::runtime_error where anything else has arrived than was sent.
  void check(int size_b, int root, int round, MPI_Comm communicator) const;

private:
  Operation operation_;
  std::vector<char> send_;
  std::vector<char> receive_;
};

} // namespace hypermile::tune
