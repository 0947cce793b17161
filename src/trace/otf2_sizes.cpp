#include "trace/otf2_sizes.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace hypermile::trace {
namespace {

using model::dependency::EventIndex;
using model::dependency::nothing;

constexpr std::array<std::pair<std::string_view, OTF2_CollectiveOp>, 17> operations{{
    {"barrier", OTF2_COLLECTIVE_OP_BARRIER},
    {"bcast", OTF2_COLLECTIVE_OP_BCAST},
    {"gather", OTF2_COLLECTIVE_OP_GATHER},
    {"gatherv", OTF2_COLLECTIVE_OP_GATHERV},
    {"scatter", OTF2_COLLECTIVE_OP_SCATTER},
    {"scatterv", OTF2_COLLECTIVE_OP_SCATTERV},
    {"allgather", OTF2_COLLECTIVE_OP_ALLGATHER},
    {"allgatherv", OTF2_COLLECTIVE_OP_ALLGATHERV},
    {"alltoall", OTF2_COLLECTIVE_OP_ALLTOALL},
    {"alltoallv", OTF2_COLLECTIVE_OP_ALLTOALLV},
    {"alltoallw", OTF2_COLLECTIVE_OP_ALLTOALLW},
    {"allreduce", OTF2_COLLECTIVE_OP_ALLREDUCE},
    {"reduce", OTF2_COLLECTIVE_OP_REDUCE},
    {"reduce_scatter", OTF2_COLLECTIVE_OP_REDUCE_SCATTER},
    {"reduce_scatter_block", OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK},
    {"scan", OTF2_COLLECTIVE_OP_SCAN},
    {"exscan", OTF2_COLLECTIVE_OP_EXSCAN},
}};

/// "allreduce" of "Iallreduce" and "Allreduce_c".
std::string plain_name(std::string_view function) {
  if (function.ends_with("_c"))
    function.remove_suffix(2);
  if (function.size() > 1 && function[0] == 'I' && function[1] >= 'a')
    function.remove_prefix(1);
  std::string name(function);
  if (!name.empty() && name[0] >= 'A' && name[0] <= 'Z')
    name[0] = static_cast<char>(name[0] - 'A' + 'a');
  return name;
}

/// What only waits for each other, such as that on a file, is a barrier.
OTF2_CollectiveOp operation_of(std::string_view function) {
  const std::string name = plain_name(function);
  for (const auto& [known, operation] : operations)
    if (known == name)
      return operation;
  for (const std::string_view makes : {"comm_", "cart_", "graph_", "dist_graph_"})
    if (name.starts_with(makes))
      return OTF2_COLLECTIVE_OP_CREATE_HANDLE;
  return OTF2_COLLECTIVE_OP_BARRIER;
}

/// What there is to know of a rank's part: bytes that are contributed.
struct Part {
  std::uint64_t own;
  std::uint64_t members;
  std::uint64_t all;
  std::uint64_t of_root;
  bool is_root;
};

Otf2Collective told(OTF2_CollectiveOp operation, const Part& part) {
  switch (operation) {
  case OTF2_COLLECTIVE_OP_BCAST:
    return {operation, part.is_root ? part.members * part.of_root : 0, part.of_root};
  case OTF2_COLLECTIVE_OP_SCATTER:
  case OTF2_COLLECTIVE_OP_SCATTERV:
    return {operation, part.is_root ? part.of_root : 0, part.of_root / part.members};
  case OTF2_COLLECTIVE_OP_GATHER:
  case OTF2_COLLECTIVE_OP_GATHERV:
    return {operation, part.own, part.is_root ? part.all : 0};
  case OTF2_COLLECTIVE_OP_ALLGATHER:
  case OTF2_COLLECTIVE_OP_ALLGATHERV:
    return {operation, part.members * part.own, part.all};
  case OTF2_COLLECTIVE_OP_ALLTOALL:
  case OTF2_COLLECTIVE_OP_ALLTOALLV:
  case OTF2_COLLECTIVE_OP_ALLTOALLW:
    return {operation, part.own, part.all / part.members};
  case OTF2_COLLECTIVE_OP_REDUCE_SCATTER:
  case OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK:
    return {operation, part.own, part.own / part.members};
  case OTF2_COLLECTIVE_OP_REDUCE:
    return {operation, part.own, part.is_root ? part.own : 0};
  case OTF2_COLLECTIVE_OP_ALLREDUCE:
  case OTF2_COLLECTIVE_OP_SCAN:
  case OTF2_COLLECTIVE_OP_EXSCAN:
    return {operation, part.own, part.own};
  default:
    return {operation, 0, 0};
  }
}

} // namespace

Otf2Sizes::Otf2Sizes(const model::dependency::Matching& matching) : matching_(matching) {
  for (const auto& collective : matching.collectives()) {
    Sum sum;
    for (const EventIndex arrival : collective.arrivals)
      sum.all += matching.operation(arrival).bytes;
    if (collective.root != nothing)
      sum.root = matching.operation(collective.root).bytes;
    sums_.push_back(sum);
  }
}

Otf2Collective Otf2Sizes::of(EventIndex arrival) const {
  const model::Operation& own = matching_.operation(arrival);
  const std::uint64_t members = std::max<std::uint64_t>(1, own.members);
  const auto link = matching_.link(arrival);
  const Sum sum = link == nothing ? Sum{own.bytes * members, own.bytes} : sums_[link];
  const bool root = own.partner == static_cast<std::int32_t>(matching_.rank(arrival));
  return told(
      operation_of(matching_.timeline().functions[own.function]),
      {.own = own.bytes, .members = members, .all = sum.all, .of_root = sum.root, .is_root = root});
}

} // namespace hypermile::trace
