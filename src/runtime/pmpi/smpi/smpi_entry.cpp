// What a simulated program calls besides MPI: SMPI replaces sleep(), the clocks and exit() by
// functions of its own, and loads the program once per rank.

#include "runtime/pmpi/entry.hpp"
#include "runtime/pmpi/smpi/next_definition.hpp"

#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <dlfcn.h>
#include <sys/time.h>
#include <unistd.h>

using hypermile::runtime::pmpi::Entry;
using hypermile::runtime::pmpi::Function;
using hypermile::runtime::pmpi::next_definition;

extern "C" {

/// SMPI loads each rank with RTLD_DEEPBIND, by which the program's MPI calls would go past this
/// library straight to SimGrid.
HYPERMILE_EXPORT void* dlopen(const char* file, int mode) {
  static const auto next = next_definition<decltype(&dlopen)>("dlopen");
  return next(file, mode & ~RTLD_DEEPBIND);
}

/// What a program calls that repeats the calls of another one (hypermile-replay): `function` is a
/// number of Function.
HYPERMILE_EXPORT void hypermile_on_call_as(std::uint16_t function, const void* site,
                                           std::uint64_t detail) {
  if (auto* session = hypermile::runtime::pmpi::current_session(Function::Iteration))
    session->call_as({static_cast<Function>(function), site, detail});
}

/// Such a program tells what it computes, in the platform's unit, before the next call.
HYPERMILE_EXPORT void hypermile_on_computation(double work) {
  hypermile::runtime::pmpi::note_computation(hypermile::Work{work});
}

HYPERMILE_EXPORT unsigned int smpi_sleep(unsigned int seconds) {
  static const auto next = next_definition<decltype(&smpi_sleep)>("smpi_sleep");
  const Entry entry(Function::Sleep, __builtin_return_address(0));
  return next(seconds);
}

HYPERMILE_EXPORT int smpi_usleep(useconds_t microseconds) {
  static const auto next = next_definition<decltype(&smpi_usleep)>("smpi_usleep");
  const Entry entry(Function::Sleep, __builtin_return_address(0));
  return next(microseconds);
}

HYPERMILE_EXPORT int smpi_nanosleep(const struct timespec* wanted, struct timespec* left) {
  static const auto next = next_definition<decltype(&smpi_nanosleep)>("smpi_nanosleep");
  const Entry entry(Function::Sleep, __builtin_return_address(0));
  return next(wanted, left);
}

HYPERMILE_EXPORT int smpi_gettimeofday(struct timeval* now, struct timezone* zone) {
  static const auto next = next_definition<decltype(&smpi_gettimeofday)>("smpi_gettimeofday");
  const Entry entry(Function::Wtime, nullptr);
  return next(now, zone);
}

HYPERMILE_EXPORT int smpi_clock_gettime(clockid_t clock, struct timespec* now) {
  static const auto next = next_definition<decltype(&smpi_clock_gettime)>("smpi_clock_gettime");
  const Entry entry(Function::Wtime, nullptr);
  return next(clock, now);
}

[[noreturn]] HYPERMILE_EXPORT void smpi_exit(int status) {
  static const auto next = next_definition<void (*)(int)>("smpi_exit");
  hypermile::runtime::pmpi::note_end(hypermile::runtime::RankStatus::exited, status);
  next(status);
  std::abort();
}

} // extern "C"
