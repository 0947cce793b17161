#pragma once

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

/// A communicator of all ranks for each variant. Collective. Throws std::runtime_error where the
/// library has no such setting.
[[nodiscard]] std::vector<MPI_Comm> communicators_for(const std::vector<Variant>& variants);

/// To be called by all ranks before they use the communicator of this variant.
void select(const Variant& variant);

/// The rules by which MPICH chooses algorithms, as JSON; empty: there are none in this library.
/// Needs no MPI_Init().
[[nodiscard]] std::string selection_tree();

/// From now on, broadcasts of these bytes are observed.
void watch(const void* bytes, std::size_t size);

/// Which algorithm broadcast them in this communicator: its name, "?" where it is none that is
/// known, "-" where this library does not show it. Collective; the same on all ranks. Ends watch().
[[nodiscard]] std::string seen(MPI_Comm communicator);

} // namespace hypermile::tune
