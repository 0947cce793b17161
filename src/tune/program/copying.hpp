#pragma once

#include "tune/program/late.hpp"

#include <cstddef>
#include <functional>
#include <vector>

#include <mpi.h>

/// Threads of a process that copy a message, as hybrid programs do after one of them has got it.
namespace hypermile::tune {

/// Throws std::runtime_error where this process may use fewer CPUs than that, since its threads
/// would then take turns.
void check_cpus_for(int threads);

/// Each thread has a buffer of this size. One of them hands the message to the others by
/// `copyprivate` of OpenMP, again and again while `goes_on`, which is called on the main thread
/// every three times: how long each took, from where all of these processes have met to where all
/// threads of this one have the message. Throws std::runtime_error where a thread has got anything
/// else, or OpenMP gives fewer threads.
[[nodiscard]] std::vector<Times> time_copies(int threads, std::size_t size_b, MPI_Comm processes,
                                             const std::function<bool(std::size_t)>& goes_on);

} // namespace hypermile::tune
