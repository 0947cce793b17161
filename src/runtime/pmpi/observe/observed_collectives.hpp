#pragma once

#include "runtime/pmpi/observe/observed.hpp"

namespace hypermile::runtime::pmpi {

using Arrival = Observer::Arrival;
using model::Shape;

/// What the call means; with its arguments, where calls are kept. Those of neighbourhoods are not:
/// their topology is unknown.
template <class Meaning, class... Arguments>
Arrival arrival(Observer& observer, Arguments... arguments) {
  Arrival arrival = Meaning::of(arguments...);
  if constexpr (requires { Meaning::passed(arguments...); })
    if (observer.keeps_calls())
      arrival.arguments = observer.number(Meaning::passed(arguments...));
  return arrival;
}

/// A collective operation; its non-blocking form, with a request behind the arguments; and its
/// persistent form, with an info and a request. `Meaning::of` takes the arguments of each; it is
/// asked when the call has succeeded, so that they make sense.
template <class Meaning> struct ObservedCollective {
  template <class... Arguments>
  static int call(Observer& observer, auto* pmpi, Arguments... arguments) {
    const int error = pmpi(arguments...);
    if (error == MPI_SUCCESS)
      observer.arrive(arrival<Meaning>(observer, arguments...));
    return error;
  }
};
template <class Meaning> struct ObservedNonBlocking {
  template <class... Arguments>
  static int call(Observer& observer, auto* pmpi, Arguments... arguments) {
    const int error = pmpi(arguments...);
    if (error == MPI_SUCCESS)
      observer.arrive(arrival<Meaning>(observer, arguments...), *last(arguments...));
    return error;
  }
};
template <class Meaning> struct ObservedPersistent {
  template <class... Arguments>
  static int call(Observer& observer, auto* pmpi, Arguments... arguments) {
    const int error = pmpi(arguments...);
    if (error == MPI_SUCCESS)
      observer.prepare(Meaning::of(arguments...), *last(arguments...));
    return error;
  }
};

inline int rank_in(MPI_Comm comm) {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  return rank;
}
inline int size_of(MPI_Comm comm) {
  int size = 0;
  PMPI_Comm_size(comm, &size);
  return size;
}
inline std::int64_t sum(const auto* counts, int size) {
  std::int64_t total = 0;
  for (int i = 0; i < size; ++i)
    total += counts[i];
  return total;
}
inline std::uint64_t sum_of_bytes(const auto* counts, const MPI_Datatype* types, int size) {
  std::uint64_t bytes = 0;
  for (int i = 0; i < size; ++i)
    bytes += bytes_of(counts[i], types[i]);
  return bytes;
}

using model::Arguments;

inline std::uint32_t element(MPI_Datatype type) {
  return static_cast<std::uint32_t>(bytes_of(1, type));
}
inline Arguments::Blocks blocks(std::int64_t count, MPI_Datatype type) {
  return {element(type), {static_cast<std::uint64_t>(count)}};
}
inline Arguments::Blocks blocks(const auto* counts, MPI_Datatype type, MPI_Comm comm) {
  Arguments::Blocks blocks{element(type), {}};
  for (int i = 0; i < size_of(comm); ++i)
    blocks.counts.push_back(static_cast<std::uint64_t>(counts[i]));
  return blocks;
}
/// Of types that may differ, in bytes.
inline Arguments::Blocks blocks(const auto* counts, const MPI_Datatype* types, MPI_Comm comm) {
  Arguments::Blocks blocks{1, {}};
  for (int i = 0; i < size_of(comm); ++i)
    blocks.counts.push_back(bytes_of(counts[i], types[i]));
  return blocks;
}
/// Of a call that only sends, or reduces.
inline Arguments passed_out(const void* out, Arguments::Blocks blocks) {
  return {.in_place = out == MPI_IN_PLACE,
          .out = std::move(blocks),
          .in = {},
          .made = 0,
          .members = {}};
}
inline Arguments passed_both(bool in_place, Arguments::Blocks out, Arguments::Blocks in) {
  return {
      .in_place = in_place, .out = std::move(out), .in = std::move(in), .made = 0, .members = {}};
}
/// Where one rank alone passes something: what another one passes there means nothing.
inline Arguments::Blocks at(int root, MPI_Comm comm, const auto& blocks) {
  return rank_in(comm) == root ? blocks() : Arguments::Blocks{};
}
inline Arguments::Blocks unless(bool in_place, const auto& blocks) {
  return in_place ? Arguments::Blocks{} : blocks();
}

// What ranks contribute. Counts are of type int or MPI_Count; what comes after the communicator (an
// info, a request) does not matter.

struct Barrier {
  static Arrival of(MPI_Comm comm, auto...) { return {Shape::all, comm, -1, 0}; }
  static Arguments passed(MPI_Comm, auto...) { return {}; }
};
struct Bcast {
  static Arrival of(void*, std::int64_t count, MPI_Datatype type, int root, MPI_Comm comm,
                    auto...) {
    const std::uint64_t bytes = rank_in(comm) == root ? bytes_of(count, type) : 0;
    return {Shape::from_root, comm, root, bytes};
  }
  static Arguments passed(void*, std::int64_t count, MPI_Datatype type, auto...) {
    return passed_out(nullptr, blocks(count, type));
  }
};
struct Gather {
  static Arrival of(const void* out, std::int64_t out_count, MPI_Datatype out_type, void*,
                    std::int64_t in_count, MPI_Datatype in_type, int root, MPI_Comm comm, auto...) {
    const std::uint64_t bytes =
        out == MPI_IN_PLACE ? bytes_of(in_count, in_type) : bytes_of(out_count, out_type);
    return {Shape::to_root, comm, root, bytes};
  }
  static Arguments passed(const void* out, std::int64_t out_count, MPI_Datatype out_type, void*,
                          std::int64_t in_count, MPI_Datatype in_type, int root, MPI_Comm comm,
                          auto...) {
    const bool in_place = out == MPI_IN_PLACE;
    return passed_both(in_place, unless(in_place, [&] { return blocks(out_count, out_type); }),
                       at(root, comm, [&] { return blocks(in_count, in_type); }));
  }
};
struct Gatherv {
  static Arrival of(const void* out, std::int64_t out_count, MPI_Datatype out_type, void*,
                    const auto* in_counts, const void*, MPI_Datatype in_type, int root,
                    MPI_Comm comm, auto...) {
    const std::uint64_t bytes = out == MPI_IN_PLACE ? bytes_of(in_counts[rank_in(comm)], in_type)
                                                    : bytes_of(out_count, out_type);
    return {Shape::to_root, comm, root, bytes};
  }
  static Arguments passed(const void* out, std::int64_t out_count, MPI_Datatype out_type, void*,
                          const auto* in_counts, const void*, MPI_Datatype in_type, int root,
                          MPI_Comm comm, auto...) {
    const bool in_place = out == MPI_IN_PLACE;
    return passed_both(in_place, unless(in_place, [&] { return blocks(out_count, out_type); }),
                       at(root, comm, [&] { return blocks(in_counts, in_type, comm); }));
  }
};
struct Scatter {
  static Arrival of(const void*, std::int64_t out_count, MPI_Datatype out_type, void*, std::int64_t,
                    MPI_Datatype, int root, MPI_Comm comm, auto...) {
    const std::uint64_t bytes =
        rank_in(comm) == root ? bytes_of(out_count * size_of(comm), out_type) : 0;
    return {Shape::from_root, comm, root, bytes};
  }
  static Arguments passed(const void*, std::int64_t out_count, MPI_Datatype out_type, void* in,
                          std::int64_t in_count, MPI_Datatype in_type, int root, MPI_Comm comm,
                          auto...) {
    const bool in_place = in == MPI_IN_PLACE;
    return passed_both(in_place, at(root, comm, [&] { return blocks(out_count, out_type); }),
                       unless(in_place, [&] { return blocks(in_count, in_type); }));
  }
};
struct Scatterv {
  static Arrival of(const void*, const auto* out_counts, const void*, MPI_Datatype out_type, void*,
                    std::int64_t, MPI_Datatype, int root, MPI_Comm comm, auto...) {
    const std::uint64_t bytes =
        rank_in(comm) == root ? bytes_of(sum(out_counts, size_of(comm)), out_type) : 0;
    return {Shape::from_root, comm, root, bytes};
  }
  static Arguments passed(const void*, const auto* out_counts, const void*, MPI_Datatype out_type,
                          void* in, std::int64_t in_count, MPI_Datatype in_type, int root,
                          MPI_Comm comm, auto...) {
    const bool in_place = in == MPI_IN_PLACE;
    return passed_both(in_place, at(root, comm, [&] { return blocks(out_counts, out_type, comm); }),
                       unless(in_place, [&] { return blocks(in_count, in_type); }));
  }
};
struct Allgather {
  static Arrival of(const void* out, std::int64_t out_count, MPI_Datatype out_type, void*,
                    std::int64_t in_count, MPI_Datatype in_type, MPI_Comm comm, auto...) {
    const std::uint64_t bytes =
        out == MPI_IN_PLACE ? bytes_of(in_count, in_type) : bytes_of(out_count, out_type);
    return {Shape::all, comm, -1, bytes};
  }
  static Arguments passed(const void* out, std::int64_t out_count, MPI_Datatype out_type, void*,
                          std::int64_t in_count, MPI_Datatype in_type, auto...) {
    const bool in_place = out == MPI_IN_PLACE;
    return passed_both(in_place, unless(in_place, [&] { return blocks(out_count, out_type); }),
                       blocks(in_count, in_type));
  }
};
struct Allgatherv {
  static Arrival of(const void* out, std::int64_t out_count, MPI_Datatype out_type, void*,
                    const auto* in_counts, const void*, MPI_Datatype in_type, MPI_Comm comm,
                    auto...) {
    const std::uint64_t bytes = out == MPI_IN_PLACE ? bytes_of(in_counts[rank_in(comm)], in_type)
                                                    : bytes_of(out_count, out_type);
    return {Shape::all, comm, -1, bytes};
  }
  static Arguments passed(const void* out, std::int64_t out_count, MPI_Datatype out_type, void*,
                          const auto* in_counts, const void*, MPI_Datatype in_type, MPI_Comm comm,
                          auto...) {
    const bool in_place = out == MPI_IN_PLACE;
    return passed_both(in_place, unless(in_place, [&] { return blocks(out_count, out_type); }),
                       blocks(in_counts, in_type, comm));
  }
};
struct Alltoall {
  static Arrival of(const void* out, std::int64_t out_count, MPI_Datatype out_type, void*,
                    std::int64_t in_count, MPI_Datatype in_type, MPI_Comm comm, auto...) {
    const bool in_place = out == MPI_IN_PLACE;
    const std::int64_t each = in_place ? in_count : out_count;
    return {Shape::all, comm, -1, bytes_of(each * size_of(comm), in_place ? in_type : out_type)};
  }
  static Arguments passed(const void* out, std::int64_t out_count, MPI_Datatype out_type, void*,
                          std::int64_t in_count, MPI_Datatype in_type, auto...) {
    const bool in_place = out == MPI_IN_PLACE;
    return passed_both(in_place, unless(in_place, [&] { return blocks(out_count, out_type); }),
                       blocks(in_count, in_type));
  }
};
struct Alltoallv {
  static Arrival of(const void* out, const auto* out_counts, const void*, MPI_Datatype out_type,
                    void*, const auto* in_counts, const void*, MPI_Datatype in_type, MPI_Comm comm,
                    auto...) {
    const bool in_place = out == MPI_IN_PLACE;
    const std::int64_t all = sum(in_place ? in_counts : out_counts, size_of(comm));
    return {Shape::all, comm, -1, bytes_of(all, in_place ? in_type : out_type)};
  }
  static Arguments passed(const void* out, const auto* out_counts, const void*,
                          MPI_Datatype out_type, void*, const auto* in_counts, const void*,
                          MPI_Datatype in_type, MPI_Comm comm, auto...) {
    const bool in_place = out == MPI_IN_PLACE;
    return passed_both(in_place,
                       unless(in_place, [&] { return blocks(out_counts, out_type, comm); }),
                       blocks(in_counts, in_type, comm));
  }
};
struct Alltoallw {
  static Arrival of(const void* out, const auto* out_counts, const void*,
                    const MPI_Datatype* out_types, void*, const auto* in_counts, const void*,
                    const MPI_Datatype* in_types, MPI_Comm comm, auto...) {
    const bool in_place = out == MPI_IN_PLACE;
    return {Shape::all, comm, -1,
            sum_of_bytes(in_place ? in_counts : out_counts, in_place ? in_types : out_types,
                         size_of(comm))};
  }
  static Arguments passed(const void* out, const auto* out_counts, const void*,
                          const MPI_Datatype* out_types, void*, const auto* in_counts, const void*,
                          const MPI_Datatype* in_types, MPI_Comm comm, auto...) {
    const bool in_place = out == MPI_IN_PLACE;
    return passed_both(in_place,
                       unless(in_place, [&] { return blocks(out_counts, out_types, comm); }),
                       blocks(in_counts, in_types, comm));
  }
};
struct Reduce {
  static Arrival of(const void*, void*, std::int64_t count, MPI_Datatype type, MPI_Op, int root,
                    MPI_Comm comm, auto...) {
    return {Shape::to_root, comm, root, bytes_of(count, type)};
  }
  static Arguments passed(const void* out, void*, std::int64_t count, MPI_Datatype type, auto...) {
    return passed_out(out, blocks(count, type));
  }
};
struct Allreduce {
  static Arrival of(const void*, void*, std::int64_t count, MPI_Datatype type, MPI_Op,
                    MPI_Comm comm, auto...) {
    return {Shape::all, comm, -1, bytes_of(count, type)};
  }
  static Arguments passed(const void* out, void*, std::int64_t count, MPI_Datatype type, auto...) {
    return passed_out(out, blocks(count, type));
  }
};
struct ReduceScatter {
  static Arrival of(const void*, void*, const auto* counts, MPI_Datatype type, MPI_Op,
                    MPI_Comm comm, auto...) {
    return {Shape::all, comm, -1, bytes_of(sum(counts, size_of(comm)), type)};
  }
  static Arguments passed(const void* out, void*, const auto* counts, MPI_Datatype type, MPI_Op,
                          MPI_Comm comm, auto...) {
    return passed_out(out, blocks(counts, type, comm));
  }
};
struct ReduceScatterBlock {
  static Arrival of(const void*, void*, std::int64_t count, MPI_Datatype type, MPI_Op,
                    MPI_Comm comm, auto...) {
    return {Shape::all, comm, -1, bytes_of(count * size_of(comm), type)};
  }
  static Arguments passed(const void* out, void*, std::int64_t count, MPI_Datatype type, auto...) {
    return passed_out(out, blocks(count, type));
  }
};
struct Scan {
  static Arrival of(const void*, void*, std::int64_t count, MPI_Datatype type, MPI_Op,
                    MPI_Comm comm, auto...) {
    return {Shape::scan, comm, -1, bytes_of(count, type)};
  }
  static Arguments passed(const void* out, void*, std::int64_t count, MPI_Datatype type, auto...) {
    return passed_out(out, blocks(count, type));
  }
};

// Neighbourhoods. What is contributed once counts once, as in Allgather.

/// How many neighbours this rank sends to.
inline int neighbours(MPI_Comm comm) {
  int topology = MPI_UNDEFINED;
  int count = 0;
  PMPI_Topo_test(comm, &topology);
  if (topology == MPI_CART) {
    PMPI_Cartdim_get(comm, &count);
    return 2 * count; // one on either side
  }
  if (topology == MPI_GRAPH)
    PMPI_Graph_neighbors_count(comm, rank_in(comm), &count);
  int in = 0;
  int weighted = 0;
  if (topology == MPI_DIST_GRAPH)
    PMPI_Dist_graph_neighbors_count(comm, &in, &count, &weighted);
  return count;
}

struct NeighborAllgather {
  static Arrival of(const void*, std::int64_t count, MPI_Datatype type, void*, std::int64_t,
                    MPI_Datatype, MPI_Comm comm, auto...) {
    return {Shape::neighbours, comm, -1, bytes_of(count, type)};
  }
};
struct NeighborAllgatherv {
  static Arrival of(const void*, std::int64_t count, MPI_Datatype type, void*, const void*,
                    const void*, MPI_Datatype, MPI_Comm comm, auto...) {
    return {Shape::neighbours, comm, -1, bytes_of(count, type)};
  }
};
struct NeighborAlltoall {
  static Arrival of(const void*, std::int64_t count, MPI_Datatype type, void*, std::int64_t,
                    MPI_Datatype, MPI_Comm comm, auto...) {
    return {Shape::neighbours, comm, -1, bytes_of(count * neighbours(comm), type)};
  }
};
struct NeighborAlltoallv {
  static Arrival of(const void*, const auto* counts, const void*, MPI_Datatype type, void*,
                    const void*, const void*, MPI_Datatype, MPI_Comm comm, auto...) {
    return {Shape::neighbours, comm, -1, bytes_of(sum(counts, neighbours(comm)), type)};
  }
};
struct NeighborAlltoallw {
  static Arrival of(const void*, const auto* counts, const void*, const MPI_Datatype* types, void*,
                    const void*, const void*, const MPI_Datatype*, MPI_Comm comm, auto...) {
    return {Shape::neighbours, comm, -1, sum_of_bytes(counts, types, neighbours(comm))};
  }
};

#define HM_WITHOUT_COUNTS(name, Iname, Meaning)                                                    \
  template <> struct Observed<Function::name> : ObservedCollective<Meaning> {};                    \
  template <> struct Observed<Function::Iname> : ObservedNonBlocking<Meaning> {};                  \
  template <> struct Observed<Function::name##_init> : ObservedPersistent<Meaning> {};
#define HM_COLLECTIVE(name, Iname, Meaning)                                                        \
  HM_WITHOUT_COUNTS(name, Iname, Meaning)                                                          \
  template <> struct Observed<Function::name##_c> : ObservedCollective<Meaning> {};                \
  template <> struct Observed<Function::Iname##_c> : ObservedNonBlocking<Meaning> {};              \
  template <> struct Observed<Function::name##_init_c> : ObservedPersistent<Meaning> {};
HM_WITHOUT_COUNTS(Barrier, Ibarrier, Barrier)
HM_COLLECTIVE(Bcast, Ibcast, Bcast)
HM_COLLECTIVE(Gather, Igather, Gather)
HM_COLLECTIVE(Gatherv, Igatherv, Gatherv)
HM_COLLECTIVE(Scatter, Iscatter, Scatter)
HM_COLLECTIVE(Scatterv, Iscatterv, Scatterv)
HM_COLLECTIVE(Allgather, Iallgather, Allgather)
HM_COLLECTIVE(Allgatherv, Iallgatherv, Allgatherv)
HM_COLLECTIVE(Alltoall, Ialltoall, Alltoall)
HM_COLLECTIVE(Alltoallv, Ialltoallv, Alltoallv)
HM_COLLECTIVE(Alltoallw, Ialltoallw, Alltoallw)
HM_COLLECTIVE(Reduce, Ireduce, Reduce)
HM_COLLECTIVE(Allreduce, Iallreduce, Allreduce)
HM_COLLECTIVE(Reduce_scatter, Ireduce_scatter, ReduceScatter)
HM_COLLECTIVE(Reduce_scatter_block, Ireduce_scatter_block, ReduceScatterBlock)
HM_COLLECTIVE(Scan, Iscan, Scan)
HM_COLLECTIVE(Exscan, Iexscan, Scan)
HM_COLLECTIVE(Neighbor_allgather, Ineighbor_allgather, NeighborAllgather)
HM_COLLECTIVE(Neighbor_allgatherv, Ineighbor_allgatherv, NeighborAllgatherv)
HM_COLLECTIVE(Neighbor_alltoall, Ineighbor_alltoall, NeighborAlltoall)
HM_COLLECTIVE(Neighbor_alltoallv, Ineighbor_alltoallv, NeighborAlltoallv)
HM_COLLECTIVE(Neighbor_alltoallw, Ineighbor_alltoallw, NeighborAlltoallw)
#undef HM_COLLECTIVE
#undef HM_WITHOUT_COUNTS

} // namespace hypermile::runtime::pmpi
