#pragma once

#include "runtime/pmpi/observe/observed.hpp"

namespace hypermile::runtime::pmpi {

using Arrival = Observer::Arrival;
using model::Shape;

/// A collective operation, and its non-blocking form with a request behind the arguments.
/// `Meaning::of` takes the arguments of the blocking one; it is asked when the call has
/// succeeded, so that they make sense.
template <class Meaning> struct ObservedCollective {
  template <class... Arguments>
  static int call(Observer& observer, auto* pmpi, Arguments... arguments) {
    const int error = pmpi(arguments...);
    if (error == MPI_SUCCESS)
      observer.arrive(Meaning::of(arguments...));
    return error;
  }
};
template <class Meaning> struct ObservedNonBlocking {
  template <class... Arguments>
  static int call(Observer& observer, auto* pmpi, Arguments... arguments) {
    const int error = pmpi(arguments...);
    if (error == MPI_SUCCESS)
      observer.arrive(Meaning::of(arguments...), *last(arguments...));
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
inline std::int64_t sum(const int* counts, int size) {
  std::int64_t total = 0;
  for (int i = 0; i < size; ++i)
    total += counts[i];
  return total;
}
inline std::uint64_t sum_of_bytes(const int* counts, const MPI_Datatype* types, int size) {
  std::uint64_t bytes = 0;
  for (int i = 0; i < size; ++i)
    bytes += bytes_of(counts[i], types[i]);
  return bytes;
}

// What ranks contribute. The request of a non-blocking form is not looked at.

struct Barrier {
  static Arrival of(MPI_Comm comm, MPI_Request* = nullptr) { return {Shape::all, comm, -1, 0}; }
};
struct Bcast {
  static Arrival of(void*, int count, MPI_Datatype type, int root, MPI_Comm comm,
                    MPI_Request* = nullptr) {
    const std::uint64_t bytes = rank_in(comm) == root ? bytes_of(count, type) : 0;
    return {Shape::from_root, comm, root, bytes};
  }
};
struct Gather {
  static Arrival of(const void* out, int out_count, MPI_Datatype out_type, void*, int in_count,
                    MPI_Datatype in_type, int root, MPI_Comm comm, MPI_Request* = nullptr) {
    const std::uint64_t bytes =
        out == MPI_IN_PLACE ? bytes_of(in_count, in_type) : bytes_of(out_count, out_type);
    return {Shape::to_root, comm, root, bytes};
  }
};
struct Gatherv {
  static Arrival of(const void* out, int out_count, MPI_Datatype out_type, void*,
                    const int* in_counts, const int*, MPI_Datatype in_type, int root, MPI_Comm comm,
                    MPI_Request* = nullptr) {
    const std::uint64_t bytes = out == MPI_IN_PLACE ? bytes_of(in_counts[rank_in(comm)], in_type)
                                                    : bytes_of(out_count, out_type);
    return {Shape::to_root, comm, root, bytes};
  }
};
struct Scatter {
  static Arrival of(const void*, int out_count, MPI_Datatype out_type, void*, int, MPI_Datatype,
                    int root, MPI_Comm comm, MPI_Request* = nullptr) {
    const std::uint64_t bytes =
        rank_in(comm) == root ? bytes_of(std::int64_t{out_count} * size_of(comm), out_type) : 0;
    return {Shape::from_root, comm, root, bytes};
  }
};
struct Scatterv {
  static Arrival of(const void*, const int* out_counts, const int*, MPI_Datatype out_type, void*,
                    int, MPI_Datatype, int root, MPI_Comm comm, MPI_Request* = nullptr) {
    const std::uint64_t bytes =
        rank_in(comm) == root ? bytes_of(sum(out_counts, size_of(comm)), out_type) : 0;
    return {Shape::from_root, comm, root, bytes};
  }
};
struct Allgather {
  static Arrival of(const void* out, int out_count, MPI_Datatype out_type, void*, int in_count,
                    MPI_Datatype in_type, MPI_Comm comm, MPI_Request* = nullptr) {
    const std::uint64_t bytes =
        out == MPI_IN_PLACE ? bytes_of(in_count, in_type) : bytes_of(out_count, out_type);
    return {Shape::all, comm, -1, bytes};
  }
};
struct Allgatherv {
  static Arrival of(const void* out, int out_count, MPI_Datatype out_type, void*,
                    const int* in_counts, const int*, MPI_Datatype in_type, MPI_Comm comm,
                    MPI_Request* = nullptr) {
    const std::uint64_t bytes = out == MPI_IN_PLACE ? bytes_of(in_counts[rank_in(comm)], in_type)
                                                    : bytes_of(out_count, out_type);
    return {Shape::all, comm, -1, bytes};
  }
};
struct Alltoall {
  static Arrival of(const void* out, int out_count, MPI_Datatype out_type, void*, int in_count,
                    MPI_Datatype in_type, MPI_Comm comm, MPI_Request* = nullptr) {
    const bool in_place = out == MPI_IN_PLACE;
    const std::int64_t each = in_place ? in_count : out_count;
    return {Shape::all, comm, -1, bytes_of(each * size_of(comm), in_place ? in_type : out_type)};
  }
};
struct Alltoallv {
  static Arrival of(const void* out, const int* out_counts, const int*, MPI_Datatype out_type,
                    void*, const int* in_counts, const int*, MPI_Datatype in_type, MPI_Comm comm,
                    MPI_Request* = nullptr) {
    const bool in_place = out == MPI_IN_PLACE;
    const std::int64_t all = sum(in_place ? in_counts : out_counts, size_of(comm));
    return {Shape::all, comm, -1, bytes_of(all, in_place ? in_type : out_type)};
  }
};
struct Alltoallw {
  static Arrival of(const void* out, const int* out_counts, const int*,
                    const MPI_Datatype* out_types, void*, const int* in_counts, const int*,
                    const MPI_Datatype* in_types, MPI_Comm comm, MPI_Request* = nullptr) {
    const bool in_place = out == MPI_IN_PLACE;
    return {Shape::all, comm, -1,
            sum_of_bytes(in_place ? in_counts : out_counts, in_place ? in_types : out_types,
                         size_of(comm))};
  }
};
struct Reduce {
  static Arrival of(const void*, void*, int count, MPI_Datatype type, MPI_Op, int root,
                    MPI_Comm comm, MPI_Request* = nullptr) {
    return {Shape::to_root, comm, root, bytes_of(count, type)};
  }
};
struct Allreduce {
  static Arrival of(const void*, void*, int count, MPI_Datatype type, MPI_Op, MPI_Comm comm,
                    MPI_Request* = nullptr) {
    return {Shape::all, comm, -1, bytes_of(count, type)};
  }
};
struct ReduceScatter {
  static Arrival of(const void*, void*, const int* counts, MPI_Datatype type, MPI_Op, MPI_Comm comm,
                    MPI_Request* = nullptr) {
    return {Shape::all, comm, -1, bytes_of(sum(counts, size_of(comm)), type)};
  }
};
struct ReduceScatterBlock {
  static Arrival of(const void*, void*, int count, MPI_Datatype type, MPI_Op, MPI_Comm comm,
                    MPI_Request* = nullptr) {
    return {Shape::all, comm, -1, bytes_of(std::int64_t{count} * size_of(comm), type)};
  }
};
struct Scan {
  static Arrival of(const void*, void*, int count, MPI_Datatype type, MPI_Op, MPI_Comm comm,
                    MPI_Request* = nullptr) {
    return {Shape::scan, comm, -1, bytes_of(count, type)};
  }
};

// Neighbourhoods. What is contributed once counts once, as in Allgather.

/// How many neighbours this rank sends to.
int neighbours(MPI_Comm comm);

struct NeighborAllgather {
  static Arrival of(const void*, int count, MPI_Datatype type, void*, int, MPI_Datatype,
                    MPI_Comm comm, MPI_Request* = nullptr) {
    return {Shape::neighbours, comm, -1, bytes_of(count, type)};
  }
};
struct NeighborAllgatherv {
  static Arrival of(const void*, int count, MPI_Datatype type, void*, const int*, const int*,
                    MPI_Datatype, MPI_Comm comm, MPI_Request* = nullptr) {
    return {Shape::neighbours, comm, -1, bytes_of(count, type)};
  }
};
struct NeighborAlltoall {
  static Arrival of(const void*, int count, MPI_Datatype type, void*, int, MPI_Datatype,
                    MPI_Comm comm, MPI_Request* = nullptr) {
    return {Shape::neighbours, comm, -1, bytes_of(std::int64_t{count} * neighbours(comm), type)};
  }
};
struct NeighborAlltoallv {
  static Arrival of(const void*, const int* counts, const int*, MPI_Datatype type, void*,
                    const int*, const int*, MPI_Datatype, MPI_Comm comm, MPI_Request* = nullptr) {
    return {Shape::neighbours, comm, -1, bytes_of(sum(counts, neighbours(comm)), type)};
  }
};
struct NeighborAlltoallw {
  static Arrival of(const void*, const int* counts, const MPI_Aint*, const MPI_Datatype* types,
                    void*, const int*, const MPI_Aint*, const MPI_Datatype*, MPI_Comm comm,
                    MPI_Request* = nullptr) {
    return {Shape::neighbours, comm, -1, sum_of_bytes(counts, types, neighbours(comm))};
  }
};

#define HM_COLLECTIVE(blocking, non_blocking, Meaning)                                             \
  template <> struct Observed<Function::blocking> : ObservedCollective<Meaning> {};                \
  template <> struct Observed<Function::non_blocking> : ObservedNonBlocking<Meaning> {};
HM_COLLECTIVE(Barrier, Ibarrier, Barrier)
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

} // namespace hypermile::runtime::pmpi
