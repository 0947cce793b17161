#pragma once

#include "tune/program/operation.hpp"

#include <mpi.h>

#include <cstddef>
#include <string>
#include <vector>

/// What differs between MPI libraries: how an algorithm is chosen, and how it is seen which one
/// ran. Each library has its own source file.
namespace hypermile::tune {

/// An algorithm by its number in the library's own list; 0: the library chooses.
struct Variant {
  int algorithm = 0;
  int segment_b = 0; ///< 0: none
  bool operator==(const Variant&) const = default;
};

/// "openmpi" or "mpich".
[[nodiscard]] const char* library_name();

/// A communicator of the same ranks for each variant. Collective. Throws std::runtime_error where
/// the library has no such setting.
[[nodiscard]] std::vector<MPI_Comm>
communicators_for(Operation operation, const std::vector<Variant>& variants, MPI_Comm ranks);

/// To be called by all ranks before they use the communicator of this variant.
void select(Operation operation, const Variant& variant);

/// The rules by which MPICH chooses algorithms, as JSON; empty: there are none in this library.
/// Needs no MPI_Init().
[[nodiscard]] std::string selection_tree();

/// What is observed: one operation.
struct Watched {
  Operation operation;
  Buffers buffers;
  int size_b;
  int ranks; ///< of its communicator
};
/// From now on.
void watch(const Watched& watched);
/// Up to here.
void end_watch();

/// Which algorithm ran in this communicator: its name, "?" where it is none that is known, "-"
/// where this library does not show it, "a=b" where it may be either. Collective; the same on all
/// ranks.
[[nodiscard]] std::string seen(MPI_Comm communicator);

} // namespace hypermile::tune
