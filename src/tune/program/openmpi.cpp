// Open MPI. Its component coll/tuned calls each algorithm by a function that libmpi exports. This
// program exports functions of the same names, which note that they were called: what ran is known
// by observation, whatever the settings say.

#include "tune/program/library.hpp"

#include "tune/program/tool_variable.hpp"

#include <dlfcn.h>

#include <cstdint>
#include <cstdlib>
#include <optional>

struct mca_coll_base_module_2_3_0_t;

namespace {

using hypermile::tune::Operation;
using Module = mca_coll_base_module_2_3_0_t;

std::optional<Operation> watched;
const char* called = nullptr;

/// A broadcast is known by the first function: it may call another for small messages, as
/// split_bintree does. An allreduce, allgather or alltoall is known by the last one of its kind: a
/// function that cannot do it hands all of it to another.
void note(Operation operation, const char* name) {
  if (watched == operation && (called == nullptr || operation != Operation::bcast))
    called = name;
}

template <class... Arguments> int forward(const char* function, Arguments... arguments) {
  using Function = int (*)(Arguments...);
  void* const next = ::dlsym(RTLD_NEXT, function);
  if (next == nullptr)
    std::abort(); // libmpi has called us by this name
  return reinterpret_cast<Function>(next)(arguments...);
}

} // namespace

// The parameters are those of Open MPI 4.1, ompi/mca/coll/base/coll_base_functions.h.
#define HYPERMILE_BCAST(NAME, SHOWN, PARAMETERS, ...)                                              \
  extern "C" int ompi_coll_base_bcast_intra_##NAME(void* buffer, int count, MPI_Datatype type,     \
                                                   int root, MPI_Comm comm,                        \
                                                   Module* module PARAMETERS) {                    \
    note(Operation::bcast, SHOWN);                                                                 \
    return forward("ompi_coll_base_bcast_intra_" #NAME, buffer, count, type, root, comm,           \
                   module __VA_OPT__(, ) __VA_ARGS__);                                             \
  }
#define HYPERMILE_ALLREDUCE(NAME, SHOWN, PARAMETERS, ...)                                          \
  extern "C" int ompi_coll_base_allreduce_intra_##NAME(const void* send, void* receive, int count, \
                                                       MPI_Datatype type, MPI_Op operation,        \
                                                       MPI_Comm comm, Module* module PARAMETERS) { \
    note(Operation::allreduce, SHOWN);                                                             \
    return forward("ompi_coll_base_allreduce_intra_" #NAME, send, receive, count, type, operation, \
                   comm, module __VA_OPT__(, ) __VA_ARGS__);                                       \
  }
#define HYPERMILE_EXCHANGE(COLLECTIVE, NAME, SHOWN, PARAMETERS, ...)                               \
  extern "C" int ompi_coll_base_##COLLECTIVE##_intra_##NAME(                                       \
      const void* send, int sends, MPI_Datatype send_type, void* receive, int receives,            \
      MPI_Datatype receive_type, MPI_Comm comm, Module* module PARAMETERS) {                       \
    note(Operation::COLLECTIVE, SHOWN);                                                            \
    return forward("ompi_coll_base_" #COLLECTIVE "_intra_" #NAME, send, sends, send_type, receive, \
                   receives, receive_type, comm, module __VA_OPT__(, ) __VA_ARGS__);               \
  }
#define HYPERMILE_SEGMENT , std::uint32_t segment
#define HYPERMILE_FANOUT , std::uint32_t segment, std::int32_t fanout
#define HYPERMILE_REQUESTS , int requests

HYPERMILE_BCAST(basic_linear, "basic_linear", )
HYPERMILE_BCAST(chain, "chain", HYPERMILE_FANOUT, segment, fanout)
HYPERMILE_BCAST(pipeline, "pipeline", HYPERMILE_SEGMENT, segment)
HYPERMILE_BCAST(split_bintree, "split_binary_tree", HYPERMILE_SEGMENT, segment)
HYPERMILE_BCAST(bintree, "binary_tree", HYPERMILE_SEGMENT, segment)
HYPERMILE_BCAST(binomial, "binomial", HYPERMILE_SEGMENT, segment)
HYPERMILE_BCAST(knomial, "knomial", HYPERMILE_FANOUT, segment, fanout)
HYPERMILE_BCAST(scatter_allgather, "scatter_allgather", HYPERMILE_SEGMENT, segment)
HYPERMILE_BCAST(scatter_allgather_ring, "scatter_allgather_ring", HYPERMILE_SEGMENT, segment)

HYPERMILE_ALLREDUCE(basic_linear, "basic_linear", )
HYPERMILE_ALLREDUCE(nonoverlapping, "nonoverlapping", )
HYPERMILE_ALLREDUCE(recursivedoubling, "recursive_doubling", )
HYPERMILE_ALLREDUCE(ring, "ring", )
HYPERMILE_ALLREDUCE(ring_segmented, "segmented_ring", HYPERMILE_SEGMENT, segment)
HYPERMILE_ALLREDUCE(redscat_allgather, "rabenseifner", )

HYPERMILE_EXCHANGE(allgather, basic_linear, "linear", )
HYPERMILE_EXCHANGE(allgather, bruck, "bruck", )
HYPERMILE_EXCHANGE(allgather, recursivedoubling, "recursive_doubling", )
HYPERMILE_EXCHANGE(allgather, ring, "ring", )
HYPERMILE_EXCHANGE(allgather, neighborexchange, "neighbor", )
HYPERMILE_EXCHANGE(allgather, two_procs, "two_proc", )

HYPERMILE_EXCHANGE(alltoall, basic_linear, "linear", )
HYPERMILE_EXCHANGE(alltoall, pairwise, "pairwise", )
HYPERMILE_EXCHANGE(alltoall, bruck, "modified_bruck", )
HYPERMILE_EXCHANGE(alltoall, linear_sync, "linear_sync", HYPERMILE_REQUESTS, requests)
HYPERMILE_EXCHANGE(alltoall, two_procs, "two_proc", )

namespace hypermile::tune {
namespace {

/// What coll/tuned calls the settings of an operation.
std::string setting_of(Operation operation) {
  switch (operation) {
  case Operation::bcast:
    return "coll_tuned_bcast_algorithm";
  case Operation::allreduce:
    return "coll_tuned_allreduce_algorithm";
  case Operation::allgather:
    return "coll_tuned_allgather_algorithm";
  case Operation::alltoall:
    return "coll_tuned_alltoall_algorithm";
  case Operation::scatter: // is left to the library
    break;
  }
  return "";
}

} // namespace

const char* library_name() { return "openmpi"; }

/// A communicator takes over the settings when it is made.
std::vector<MPI_Comm> communicators_for(Operation operation, const std::vector<Variant>& variants,
                                        MPI_Comm ranks) {
  const std::string setting = setting_of(operation);
  const ToolVariable algorithm(setting);
  const ToolVariable segment(setting + "_segmentsize");
  std::vector<MPI_Comm> communicators;
  for (const Variant& variant : variants) {
    algorithm.write(variant.algorithm);
    segment.write(variant.segment_b);
    MPI_Comm_dup(ranks, &communicators.emplace_back());
  }
  algorithm.write(0);
  segment.write(0);
  return communicators;
}

void select(Operation /*operation*/, const Variant& /*variant*/) {}

std::string selection_tree() { return ""; }

void watch(const Watched& now) {
  called = nullptr;
  watched = now.operation;
}

void end_watch() { watched.reset(); }

/// All ranks run the same function; only rank 0 is asked.
std::string seen(MPI_Comm /*communicator*/) { return called == nullptr ? "?" : called; }

} // namespace hypermile::tune
