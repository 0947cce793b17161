#include "replay/program/collectives.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <limits>
#include <string_view>

namespace hypermile::replay {
namespace {

void combine_nothing(void*, void*, int*, MPI_Datatype*) {}

/// A type of MPI's own with elements of this size, which needs no packing; bytes for other sizes.
MPI_Datatype type_of(std::uint32_t element) {
  switch (element) {
  case 2:
    return MPI_SHORT;
  case 4:
    return MPI_INT;
  case 8:
    return MPI_DOUBLE;
  case 16:
    return MPI_C_DOUBLE_COMPLEX;
  default:
    return MPI_BYTE;
  }
}

int to_int(std::uint64_t count) {
  if (count > static_cast<std::uint64_t>(std::numeric_limits<int>::max()))
    throw Error(ErrorKind::config, "a message has 2 GiB or more",
                "a recording of a smaller problem");
  return static_cast<int>(count);
}

/// "Allreduce" of "Iallreduce" and "Allreduce_c".
std::string blocking_name(std::string_view function) {
  if (function.ends_with("_c"))
    function.remove_suffix(2);
  std::string name(function);
  if (name.size() > 1 && name[0] == 'I' && name[1] >= 'a' && name[1] <= 'z') {
    name.erase(0, 1);
    name[0] = static_cast<char>(name[0] - 'a' + 'A');
  }
  return name;
}

} // namespace

Collectives::Collectives(Buffers buffers) : buffers_(buffers) {
  PMPI_Op_create(combine_nothing, 1, &nothing_);
}

Collectives::Blocks Collectives::prepare(const model::Arguments::Blocks& blocks) {
  Blocks prepared{.type = type_of(blocks.element), .counts = {}, .places = {}};
  const std::uint64_t factor = prepared.type == MPI_BYTE ? blocks.element : 1;
  for (const std::uint64_t count : blocks.counts)
    prepared.counts.push_back(to_int(count * factor));
  prepared.places.assign(prepared.counts.size(), 0);
  return prepared;
}

const Collectives::Prepared& Collectives::prepared(const Call& call) {
  const auto known = prepared_.find(call.number);
  if (known != prepared_.end())
    return known->second;
  return prepared_[call.number] = {prepare(call.arguments.out), prepare(call.arguments.in)};
}

void Collectives::make(const Call& call, MPI_Request* request) {
  const auto& [out, in] = prepared(call);
  const std::string name = blocking_name(call.function);
  const bool in_place = call.arguments.in_place;
  const void* const from = in_place ? MPI_IN_PLACE : buffers_.out;
  void* const to = buffers_.in;
  const auto does = [&](std::string_view function, auto* blocking, auto* starting,
                        auto... arguments) {
    if (name != function)
      return false;
    if (request == nullptr)
      blocking(arguments...);
    else
      starting(arguments..., request);
    return true;
  };
  const MPI_Comm comm = call.comm;
  const int root = call.root;
  const bool made =
      does("Barrier", MPI_Barrier, MPI_Ibarrier, comm) ||
      does("Bcast", MPI_Bcast, MPI_Ibcast, to, out.count(), out.type, root, comm) ||
      does("Gather", MPI_Gather, MPI_Igather, from, out.count(), out.type, to, in.count(), in.type,
           root, comm) ||
      does("Gatherv", MPI_Gatherv, MPI_Igatherv, from, out.count(), out.type, to, in.counts.data(),
           in.places.data(), in.type, root, comm) ||
      does("Scatter", MPI_Scatter, MPI_Iscatter, buffers_.out, out.count(), out.type,
           in_place ? MPI_IN_PLACE : to, in.count(), in.type, root, comm) ||
      does("Scatterv", MPI_Scatterv, MPI_Iscatterv, buffers_.out, out.counts.data(),
           out.places.data(), out.type, in_place ? MPI_IN_PLACE : to, in.count(), in.type, root,
           comm) ||
      does("Allgather", MPI_Allgather, MPI_Iallgather, from, out.count(), out.type, to, in.count(),
           in.type, comm) ||
      does("Allgatherv", MPI_Allgatherv, MPI_Iallgatherv, from, out.count(), out.type, to,
           in.counts.data(), in.places.data(), in.type, comm) ||
      does("Alltoall", MPI_Alltoall, MPI_Ialltoall, from, out.count(), out.type, to, in.count(),
           in.type, comm) ||
      does("Alltoallv", MPI_Alltoallv, MPI_Ialltoallv, from, out.counts.data(), out.places.data(),
           out.type, to, in.counts.data(), in.places.data(), in.type, comm) ||
      // Recorded in bytes, whatever the types were.
      does("Alltoallw", MPI_Alltoallv, MPI_Ialltoallv, from, out.counts.data(), out.places.data(),
           out.type, to, in.counts.data(), in.places.data(), in.type, comm) ||
      does("Reduce", MPI_Reduce, MPI_Ireduce, from, to, out.count(), out.type, nothing_, root,
           comm) ||
      does("Allreduce", MPI_Allreduce, MPI_Iallreduce, from, to, out.count(), out.type, nothing_,
           comm) ||
      does("Reduce_scatter", MPI_Reduce_scatter, MPI_Ireduce_scatter, from, to, out.counts.data(),
           out.type, nothing_, comm) ||
      does("Reduce_scatter_block", MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block, from, to,
           out.count(), out.type, nothing_, comm) ||
      does("Scan", MPI_Scan, MPI_Iscan, from, to, out.count(), out.type, nothing_, comm) ||
      does("Exscan", MPI_Exscan, MPI_Iexscan, from, to, out.count(), out.type, nothing_, comm);
  if (!made)
    throw Error(ErrorKind::config, fmt::format("MPI_{} cannot be repeated", call.function),
                "a recording of this version of hypermile");
}

} // namespace hypermile::replay
