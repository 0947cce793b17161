// The Fortran entry points of MPI: each tells the session where the program called from and
// calls the library's own. What that calls in turn, a function of C, is nested in this call and
// not counted again; the observer learns from it what the call means.

#include "runtime/pmpi/entry.hpp"
#include "runtime/pmpi/hash.hpp"
#include "runtime/pmpi/library.hpp"
#include "runtime/pmpi/numbered_arguments.h"

#include <mpi.h>

using hypermile::runtime::pmpi::Entry;
using hypermile::runtime::pmpi::fortran_definition;
using hypermile::runtime::pmpi::Function;
using hypermile::runtime::pmpi::hash_referenced_numbers;

// Every argument of a Fortran MPI function is a reference; the last is the error code.
#define HM_PARAMETER(function, number) void*

#define HM_ENTRY_OF(symbol, name, count) HM_ENTRY(symbol, name, count)
#define HM_ENTRY(symbol, name, count)                                                              \
  extern "C" HYPERMILE_EXPORT void symbol(HM_P##count(symbol)) {                                   \
    static const auto next = reinterpret_cast<decltype(&symbol)>(fortran_definition(#symbol));     \
    const Entry entry(Function::name, __builtin_return_address(0),                                 \
                      hash_referenced_numbers(&PMPI_##name, HM_A##count));                         \
    next(HM_A##count);                                                                             \
  }

// mpi_f08. The first name is Open MPI's, and MPICH's for functions without buffers; the second is
// MPICH's for those with buffers.
#ifdef HYPERMILE_REAL_MPI
#define HM_F08_ENTRIES(name, fortran, suffix, count)                                               \
  HM_ENTRY(mpi_##fortran##_f08_##suffix, name, count)                                              \
  HM_ENTRY(mpi_##fortran##_f08ts_##suffix, name, count)
#else
#define HM_F08_ENTRIES(name, fortran, suffix, count)
#endif

#define HM_MPI_WITH_STRINGS(...)
#define HM_MPI_LARGE(name, since, fortran, kind, count)                                            \
  HM_F08_ENTRIES(name, fortran, large_, HM_AND_ERROR##count)
// The first name is that of mpif.h and of use mpi.
#define HM_MPI(name, since, fortran, kind, count)                                                  \
  HM_ENTRY_OF(mpi_##fortran##_, name, HM_AND_ERROR##count)                                         \
  HM_F08_ENTRIES(name, fortran, , HM_AND_ERROR##count)
#include "runtime/pmpi/declared_functions.def"
