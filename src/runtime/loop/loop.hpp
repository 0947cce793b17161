#pragma once

#include "units/quantity.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hypermile::runtime {

/// What tells one MPI call of a program from another: function and call site, hashed.
using CallSignature = std::uint64_t;

/// Time of one or more MPI calls together with the computation before each of them.
struct Span {
  Seconds begin;                ///< when the computation before the first call began
  Seconds end;                  ///< when the last call returned
  Seconds computation;          ///< time outside MPI, as it passed
  Seconds computation_in_gear0; ///< the same, had it been run in gear 0
  Seconds communication;        ///< time inside MPI, waiting included
  std::size_t calls = 0;
  std::uint64_t event = 0; ///< Recorder's number of the first event; 0 where nothing is recorded
  // What the rank had done before the first call, since MPI_Init:
  std::size_t calls_before = 0;
  Seconds computation_before{};
  /// While the rank wanted its core and others had it: counts as communication, not as computation.
  Seconds stolen{};

  Span& operator+=(const Span& next);
};

/// One iteration of a loop.
struct Iteration {
  Seconds begin;                ///< of the computation before its first call
  Seconds computation_in_gear0; ///< whatever gear it ran in
  std::uint64_t event = 0;      ///< as Span's
  Seconds computation{};        ///< as it passed
};

/// What the rank computes in one.
struct Computed {
  double share = 0;      ///< of its length
  Seconds computation{}; ///< in gear 0
};

/// What the iterations of a loop took.
struct Loop {
  std::size_t iterations = 0; ///< completed
  Span total;                 ///< of all completed iterations
  // Of those completed since measure_afresh():
  std::size_t measured_iterations = 0;
  Span measured;
  double squares = 0; ///< of their lengths, in s^2
  /// The last iterations, in whatever gear: most_last / 2 of them at least, if there are so many.
  std::vector<Iteration> last;
  static constexpr std::size_t most_last = 512;

  /// An iteration is complete. `fresh`: it counts as measured.
  void count(const Span& iteration, bool fresh);
  /// So many iterations have passed that were not told from each other.
  void pass(const Span& together, std::size_t count);
  void measure_afresh();
};

} // namespace hypermile::runtime
