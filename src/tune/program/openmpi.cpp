// Open MPI. Its component coll/tuned calls each algorithm by a function that libmpi exports. This
// program exports functions of the same names, which note that they were called: what ran is known
// by observation, whatever the settings say.

#include "tune/program/library.hpp"

#include "tune/program/tool_variable.hpp"

#include <dlfcn.h>

#include <cstdint>
#include <cstdlib>

struct mca_coll_base_module_2_3_0_t;

namespace {

const char* called = nullptr; // the first one: it may call another, as split_bintree does

using Module = mca_coll_base_module_2_3_0_t;

template <class... Rest>
int forward(const char* function, const char* name, void* buffer, int count, MPI_Datatype type,
            int root, MPI_Comm communicator, Module* module, Rest... rest) {
  using Function = int (*)(void*, int, MPI_Datatype, int, MPI_Comm, Module*, Rest...);
  if (called == nullptr)
    called = name;
  void* const next = ::dlsym(RTLD_NEXT, function);
  if (next == nullptr)
    std::abort(); // libmpi has called us by this name
  return reinterpret_cast<Function>(next)(buffer, count, type, root, communicator, module, rest...);
}

} // namespace

// The parameters are those of Open MPI 4.1, ompi/mca/coll/base/coll_base_functions.h.
#define HYPERMILE_BROADCAST(NAME)                                                                  \
  extern "C" int ompi_coll_base_bcast_intra_##NAME(void* buffer, int count, MPI_Datatype type,     \
                                                   int root, MPI_Comm comm, Module* module)
#define HYPERMILE_BROADCAST_1(NAME, SHOWN)                                                         \
  extern "C" int ompi_coll_base_bcast_intra_##NAME(void* buffer, int count, MPI_Datatype type,     \
                                                   int root, MPI_Comm comm, Module* module,        \
                                                   std::uint32_t segment) {                        \
    return forward("ompi_coll_base_bcast_intra_" #NAME, SHOWN, buffer, count, type, root, comm,    \
                   module, segment);                                                               \
  }
#define HYPERMILE_BROADCAST_2(NAME, SHOWN)                                                         \
  extern "C" int ompi_coll_base_bcast_intra_##NAME(void* buffer, int count, MPI_Datatype type,     \
                                                   int root, MPI_Comm comm, Module* module,        \
                                                   std::uint32_t segment, std::int32_t fanout) {   \
    return forward("ompi_coll_base_bcast_intra_" #NAME, SHOWN, buffer, count, type, root, comm,    \
                   module, segment, fanout);                                                       \
  }

HYPERMILE_BROADCAST(basic_linear) {
  return forward("ompi_coll_base_bcast_intra_basic_linear", "basic_linear", buffer, count, type,
                 root, comm, module);
}
HYPERMILE_BROADCAST_2(chain, "chain")
HYPERMILE_BROADCAST_1(pipeline, "pipeline")
HYPERMILE_BROADCAST_1(split_bintree, "split_binary_tree")
HYPERMILE_BROADCAST_1(bintree, "binary_tree")
HYPERMILE_BROADCAST_1(binomial, "binomial")
HYPERMILE_BROADCAST_2(knomial, "knomial")
HYPERMILE_BROADCAST_1(scatter_allgather, "scatter_allgather")
HYPERMILE_BROADCAST_1(scatter_allgather_ring, "scatter_allgather_ring")

namespace hypermile::tune {

const char* library_name() { return "openmpi"; }

/// A communicator takes over the settings when it is made.
std::vector<MPI_Comm> communicators_for(const std::vector<Variant>& variants) {
  const ToolVariable algorithm("coll_tuned_bcast_algorithm");
  const ToolVariable segment("coll_tuned_bcast_algorithm_segmentsize");
  std::vector<MPI_Comm> communicators;
  for (const Variant& variant : variants) {
    algorithm.write(variant.algorithm);
    segment.write(variant.segment_b);
    MPI_Comm_dup(MPI_COMM_WORLD, &communicators.emplace_back());
  }
  algorithm.write(0);
  segment.write(0);
  return communicators;
}

void select(const Variant& /*variant*/) {}

std::string selection_tree() { return ""; }

void watch(const void* /*bytes*/, std::size_t /*size*/) { called = nullptr; }

/// All ranks run the same function; only rank 0 is asked.
std::string seen(MPI_Comm /*communicator*/) { return called == nullptr ? "?" : called; }

} // namespace hypermile::tune
