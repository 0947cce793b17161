// Waits for requests: the functions that do not wait leave behind what those do that wait. Not so
// for requests of MPI 4: MPICH 4.0's MPI_Testall fails for persistent collective operations and for
// partitioned communication. A program that makes such requests waits as the library does.

#include "runtime/pmpi/real/gentle_wait.hpp"
#include "runtime/pmpi/real/patience.hpp"

#include <atomic>
#include <string_view>
#include <type_traits>

namespace hypermile::runtime::pmpi {
namespace {

std::atomic<bool> makes_requests_of_mpi4 = false;

template <auto function, class... Arguments> int make_request_of_mpi4(Arguments... arguments) {
  makes_requests_of_mpi4.store(true);
  return (library.*function)(arguments...);
}

/// A function of the table: the library's own, or one that notes that it was called.
template <auto function, bool makes_request> auto noted() {
  std::remove_cvref_t<decltype(library.*function)> chosen = library.*function;
  if constexpr (makes_request)
    chosen = make_request_of_mpi4<function>;
  return chosen;
}

constexpr bool is_of_mpi4(std::string_view name, int since) {
  return since >= 40 && name.find("_init") != std::string_view::npos && name != "Session_init";
}

Library noting_requests_of_mpi4() {
  return {
#define HM_MPI(name, since, ...) .name = noted<&Library::name, is_of_mpi4(#name, since)>(),
#include "runtime/pmpi/declared_functions.def"
      .Init = library.Init,
      .Init_thread = library.Init_thread,
      .Finalize = library.Finalize,
      .Abort = library.Abort,
      .Wtime = library.Wtime};
}

int complete(MPI_Request* request, MPI_Status* status) {
  int error = MPI_SUCCESS;
  gently([&] {
    int complete = 0;
    error = library.Test(request, &complete, status);
    return error != MPI_SUCCESS || complete != 0;
  });
  return error;
}

int wait(MPI_Request* request, MPI_Status* status) {
  return makes_requests_of_mpi4.load(std::memory_order_relaxed) ? library.Wait(request, status)
                                                                : complete(request, status);
}

#ifdef OPEN_MPI
/// Only looks; MPI_Waitall itself then has nothing left to wait for, and reports errors as its own.
/// Not so in MPICH, whose MPI_Request_get_status calls the error handler for a request that has
/// failed, which MPI_Waitall would do again.
int complete_all(int count, MPI_Request* requests, MPI_Status* statuses) {
  for (int i = 0; requests != nullptr && i < count; ++i)
    gently([request = requests[i]] {
      int complete = 1;
      return request == MPI_REQUEST_NULL ||
             library.Request_get_status(request, &complete, MPI_STATUS_IGNORE) != MPI_SUCCESS ||
             complete != 0;
    });
  return library.Waitall(count, requests, statuses);
}
#else
int complete_all(int count, MPI_Request* requests, MPI_Status* statuses) {
  int error = MPI_SUCCESS;
  gently([&] {
    int complete = 0;
    error = library.Testall(count, requests, &complete, statuses);
    return error != MPI_SUCCESS || complete != 0;
  });
  return error;
}
#endif

int wait_all(int count, MPI_Request* requests, MPI_Status* statuses) {
  return makes_requests_of_mpi4.load(std::memory_order_relaxed)
             ? library.Waitall(count, requests, statuses)
             : complete_all(count, requests, statuses);
}

int wait_any(int count, MPI_Request* requests, int* index, MPI_Status* status) {
  if (makes_requests_of_mpi4.load(std::memory_order_relaxed))
    return library.Waitany(count, requests, index, status);
  int error = MPI_SUCCESS;
  gently([&] {
    int found = 0;
    error = library.Testany(count, requests, index, &found, status);
    return error != MPI_SUCCESS || found != 0;
  });
  return error;
}

int wait_some(int count, MPI_Request* requests, int* done, int* indices, MPI_Status* statuses) {
  if (makes_requests_of_mpi4.load(std::memory_order_relaxed))
    return library.Waitsome(count, requests, done, indices, statuses);
  int error = MPI_SUCCESS;
  gently([&] {
    error = library.Testsome(count, requests, done, indices, statuses);
    return error != MPI_SUCCESS || *done != 0; // MPI_UNDEFINED: there is nothing to wait for
  });
  return error;
}

} // namespace

int complete_gently(MPI_Request& request) { return complete(&request, MPI_STATUS_IGNORE); }

Library gentle_completions() {
  Library gentle = noting_requests_of_mpi4();
  gentle.Wait = wait;
  gentle.Waitall = wait_all;
  gentle.Waitany = wait_any;
  gentle.Waitsome = wait_some;
  return gentle;
}

} // namespace hypermile::runtime::pmpi
