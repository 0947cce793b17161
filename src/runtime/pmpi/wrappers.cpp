// The C entry points of MPI: each tells the session and calls the library's own (PMPI).

#include "runtime/pmpi/entry.hpp"
#include "runtime/pmpi/hash.hpp"
#include "runtime/pmpi/observed_collectives.hpp"
#include "runtime/pmpi/observed_completions.hpp"
#include "runtime/pmpi/observed_messages.hpp"
#include "runtime/pmpi/observed_setup.hpp"

#include <mpi.h>

using hypermile::runtime::pmpi::Entry;
using hypermile::runtime::pmpi::Function;
using hypermile::runtime::pmpi::hash_numbers;
using hypermile::runtime::pmpi::Observation;
using hypermile::runtime::pmpi::Observed;

namespace {

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

#define HM_WITHOUT_PARENTHESES(...) __VA_ARGS__
#define HM_MPI(name, fortran, kind, count, parameters, arguments)                                  \
  HYPERMILE_EXPORT int MPI_##name parameters {                                                     \
    const Entry entry(Function::name, __builtin_return_address(0), hash_numbers arguments);        \
    preset<Function::name> arguments;                                                              \
    if (const Observation observation(entry.session(), Function::name); observation)               \
      return Observed<Function::name>::call(*observation, &PMPI_##name,                            \
                                            HM_WITHOUT_PARENTHESES arguments);                     \
    return PMPI_##name arguments;                                                                  \
  }
#define HM_MPI_WITH_STRINGS HM_MPI
#include "runtime/pmpi/functions.def"
#undef HM_MPI_WITH_STRINGS
#undef HM_MPI

HYPERMILE_EXPORT int MPI_Init(int* argc, char*** argv) {
  const int status = PMPI_Init(argc, argv);
  if (status == MPI_SUCCESS)
    hypermile::runtime::pmpi::open_session();
  return status;
}

HYPERMILE_EXPORT int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const int status = PMPI_Init_thread(argc, argv, required, provided);
  if (status == MPI_SUCCESS)
    hypermile::runtime::pmpi::open_session();
  return status;
}

HYPERMILE_EXPORT int MPI_Finalize() {
  hypermile::runtime::pmpi::close_session();
  return PMPI_Finalize();
}

HYPERMILE_EXPORT int MPI_Abort(MPI_Comm comm, int code) {
  hypermile::runtime::pmpi::note_end(hypermile::runtime::RankStatus::aborted, code);
  return PMPI_Abort(comm, code);
}

HYPERMILE_EXPORT double MPI_Wtime() {
  const Entry entry(Function::Wtime, nullptr);
  return PMPI_Wtime();
}

/// What hm_iteration() of include/hypermile/hypermile.h calls where this library is loaded.
HYPERMILE_EXPORT void hypermile_on_iteration() {
  if (auto* session = hypermile::runtime::pmpi::current_session())
    session->mark_iteration();
}

} // extern "C"
