// The Fortran entry points of MPI: each tells the session where the program called from and
// calls the library's own. What that calls in turn, a function of C, is nested in this call and
// not counted again; the observer learns from it what the call means.

#include "runtime/pmpi/entry.hpp"
#include "runtime/pmpi/hash.hpp"
#include "runtime/pmpi/library.hpp"

#include <mpi.h>

using hypermile::runtime::pmpi::Entry;
using hypermile::runtime::pmpi::fortran_definition;
using hypermile::runtime::pmpi::Function;
using hypermile::runtime::pmpi::hash_referenced_numbers;

// Every argument of a Fortran MPI function is a reference; the last is the error code.
#define HM_P1 void* a1
#define HM_P2 HM_P1, void* a2
#define HM_P3 HM_P2, void* a3
#define HM_P4 HM_P3, void* a4
#define HM_P5 HM_P4, void* a5
#define HM_P6 HM_P5, void* a6
#define HM_P7 HM_P6, void* a7
#define HM_P8 HM_P7, void* a8
#define HM_P9 HM_P8, void* a9
#define HM_P10 HM_P9, void* a10
#define HM_P11 HM_P10, void* a11
#define HM_P12 HM_P11, void* a12
#define HM_P13 HM_P12, void* a13
#define HM_A1 a1
#define HM_A2 HM_A1, a2
#define HM_A3 HM_A2, a3
#define HM_A4 HM_A3, a4
#define HM_A5 HM_A4, a5
#define HM_A6 HM_A5, a6
#define HM_A7 HM_A6, a7
#define HM_A8 HM_A7, a8
#define HM_A9 HM_A8, a9
#define HM_A10 HM_A9, a10
#define HM_A11 HM_A10, a11
#define HM_A12 HM_A11, a12
#define HM_A13 HM_A12, a13

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
