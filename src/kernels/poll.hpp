#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace hypermile::kernels {

/// The places where an MPI library looks for messages, each in a cache line of its own.
class Queues {
public:
  static constexpr std::size_t count = 16;

  /// Looks `rounds` times at each queue, as fast as it can, which is what a rank does while it
  /// waits in MPI: Open MPI and MPICH neither sleep nor tell the processor that they wait. Returns
  /// how many messages it saw: none, for nobody sends any.
  [[nodiscard]] std::uint64_t poll(std::uint64_t rounds) const;

private:
  struct alignas(64) Flag {
    volatile std::uint32_t raised = 0;
  };
  std::array<Flag, count> flags_{};
};

} // namespace hypermile::kernels
