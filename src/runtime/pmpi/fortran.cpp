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
#define HM_PARAMETER void*

#define HM_ENTRY(symbol, name, count)                                                              \
  extern "C" HYPERMILE_EXPORT void symbol(HM_P##count, void* error) {                              \
    static const auto next = reinterpret_cast<decltype(&symbol)>(fortran_definition(#symbol));     \
    const Entry entry(Function::name, __builtin_return_address(0),                                 \
                      hash_referenced_numbers(&PMPI_##name, HM_A##count));                         \
    next(HM_A##count, error);                                                                      \
  }

// mpif.h, use mpi; then use mpi_f08 in Open MPI, and the functions of MPICH that have no buffers;
// then those that have.
#ifdef HYPERMILE_REAL_MPI
#define HM_F08_ENTRIES(name, fortran, count)                                                       \
  HM_ENTRY(mpi_##fortran##_f08_, name, count)                                                      \
  HM_ENTRY(mpi_##fortran##_f08ts_, name, count)
#else
#define HM_F08_ENTRIES(name, fortran, count)
#endif

#define HM_MPI_WITH_STRINGS(name, fortran, kind, count, parameters, arguments)
#define HM_MPI(name, fortran, kind, count, parameters, arguments)                                  \
  HM_ENTRY(mpi_##fortran##_, name, count)                                                          \
  HM_F08_ENTRIES(name, fortran, count)
#include "runtime/pmpi/functions.def"
