#pragma once

#include <mpi.h>

namespace hypermile::runtime::pmpi {

/// The MPI library's own functions, as far as hypermile stands in front of them. On a real MPI it
/// stands in front of the names with PMPI_, too, as those are what Open MPI's Fortran bindings
/// call: so these functions cannot be called by name.
struct Library {
#define HM_MPI(name, ...) decltype(&PMPI_##name) name;
#include "runtime/pmpi/declared_functions.def"
  decltype(&PMPI_Init) Init;
  decltype(&PMPI_Init_thread) Init_thread;
  decltype(&PMPI_Finalize) Finalize;
  decltype(&PMPI_Abort) Abort;
  decltype(&PMPI_Wtime) Wtime;
};

extern const Library library;

/// What the program's calls go to: the library's own functions or, on a real MPI, some of them in
/// another version (real/gentle_wait.hpp). Hypermile's own messages take `library`.
inline constinit const Library* called = &library;

/// The Fortran entry point of MPI with that name: the one that the program would call without
/// hypermile. A program that calls it was linked against it, so it is always there.
void* fortran_definition(const char* name);

} // namespace hypermile::runtime::pmpi
