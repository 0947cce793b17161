// The C entry points of MPI: each tells the session and calls the library's own. On a real MPI
// there are two names for each, see Library.

#include "runtime/pmpi/entry.hpp"
#include "runtime/pmpi/hash.hpp"
#include "runtime/pmpi/library.hpp"
#include "runtime/pmpi/numbered_arguments.h"
#include "runtime/pmpi/observe/observed_collectives.hpp"
#include "runtime/pmpi/observe/observed_completions.hpp"
#include "runtime/pmpi/observe/observed_messages.hpp"
#include "runtime/pmpi/observe/observed_setup.hpp"

#include <mpi.h>

#include <cstddef>
#include <tuple>

using hypermile::runtime::pmpi::called;
using hypermile::runtime::pmpi::Entry;
using hypermile::runtime::pmpi::Function;
using hypermile::runtime::pmpi::hash_numbers;
using hypermile::runtime::pmpi::library;
using hypermile::runtime::pmpi::Observation;
using hypermile::runtime::pmpi::Observed;

namespace {

template <class Function> struct Signature;
template <class... Parameters> struct Signature<int (*)(Parameters...)> {
  static constexpr std::size_t arity = sizeof...(Parameters);
  /// From 1 on.
  template <std::size_t number>
  using Parameter = std::tuple_element_t<number - 1, std::tuple<Parameters...>>;
};

/// Sets a result that the library may leave as it was: SimGrid 3.32 sets the flag of a null
/// request only where MPI_Test is asked for a status.
template <Function function, class... Arguments> void preset(const Arguments&... arguments) {
  if constexpr (function == Function::Test)
    [](const MPI_Request* request, int* flag, const MPI_Status*) {
      if (request != nullptr && flag != nullptr && *request == MPI_REQUEST_NULL)
        *flag = 1;
    }(arguments...);
}

} // namespace

extern "C" {

#ifdef HYPERMILE_REAL_MPI
#define HM_SAME(name, parameters)                                                                  \
  HYPERMILE_EXPORT int PMPI_##name parameters __attribute__((alias("MPI_" #name)));
#else
#define HM_SAME(name, parameters)
#endif

#define HM_PARAMETER(name, number) Signature<decltype(&PMPI_##name)>::Parameter<number>
#define HM_P0(name)
#define HM_MORE_ARGUMENTS(...) __VA_OPT__(, ) __VA_ARGS__
#define HM_MPI(name, since, fortran, kind, count)                                                  \
  static_assert(Signature<decltype(&PMPI_##name)>::arity == count);                                \
  HYPERMILE_EXPORT int MPI_##name(HM_P##count(name)) {                                             \
    const Entry entry(Function::name, __builtin_return_address(0), hash_numbers(HM_A##count));     \
    preset<Function::name>(HM_A##count);                                                           \
    if (const Observation observation(entry.session(), Function::name); observation)               \
      return Observed<Function::name>::call(*observation,                                          \
                                            called->name HM_MORE_ARGUMENTS(HM_A##count));          \
    return called->name(HM_A##count);                                                              \
  }                                                                                                \
  HM_SAME(name, (HM_P##count(name)))
#include "runtime/pmpi/declared_functions.def"

HYPERMILE_EXPORT int MPI_Init(int* argc, char*** argv) {
  const int status = library.Init(argc, argv);
  if (status == MPI_SUCCESS)
    hypermile::runtime::pmpi::open_session();
  return status;
}
HM_SAME(Init, (int* argc, char*** argv))

HYPERMILE_EXPORT int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const int status = library.Init_thread(argc, argv, required, provided);
  if (status == MPI_SUCCESS)
    hypermile::runtime::pmpi::open_session();
  return status;
}
HM_SAME(Init_thread, (int* argc, char*** argv, int required, int* provided))

HYPERMILE_EXPORT int MPI_Finalize() {
  hypermile::runtime::pmpi::close_session();
  return library.Finalize();
}
HM_SAME(Finalize, ())

HYPERMILE_EXPORT int MPI_Abort(MPI_Comm comm, int code) {
  hypermile::runtime::pmpi::note_end(hypermile::runtime::RankStatus::aborted, code);
  return library.Abort(comm, code);
}
HM_SAME(Abort, (MPI_Comm comm, int code))

/// Programs read the clock millions of times a second.
HYPERMILE_EXPORT double MPI_Wtime() {
  const auto* const session = hypermile::runtime::pmpi::current_session(Function::Wtime);
  if (session == nullptr || !session->follows_clock())
    return library.Wtime();
  const Entry entry(Function::Wtime, nullptr);
  return library.Wtime();
}
#ifdef HYPERMILE_REAL_MPI
HYPERMILE_EXPORT double PMPI_Wtime() __attribute__((alias("MPI_Wtime")));
#endif

/// What hm_iteration() of include/hypermile/hypermile.h calls where this library is loaded.
HYPERMILE_EXPORT void hypermile_on_iteration() {
  if (auto* session = hypermile::runtime::pmpi::current_session(Function::Iteration))
    session->mark_iteration();
}

} // extern "C"
