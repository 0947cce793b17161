#include "trace/exchanged.hpp"

#include <algorithm>
#include <numeric>

namespace hypermile::trace {
namespace {

using model::Arguments;
using model::Shape;
using Members = std::span<const IncomingCollective>;
using Bytes = std::vector<std::uint64_t>;

/// The largest element of a type of MPI's own that makes up all of these.
std::uint32_t element_of(const Bytes& counts) {
  std::uint32_t element = 8;
  for (const std::uint64_t bytes : counts)
    while (bytes % element != 0)
      element /= 2;
  return element;
}

Arguments::Blocks blocks_of(const Bytes& bytes) {
  Arguments::Blocks blocks{.element = element_of(bytes), .counts = {}};
  for (const std::uint64_t count : bytes)
    blocks.counts.push_back(count / blocks.element);
  return blocks;
}

Passed both(const Bytes& out, const Bytes& in, std::uint64_t bytes) {
  Passed passed;
  if (!out.empty())
    passed.arguments.out = blocks_of(out);
  if (!in.empty())
    passed.arguments.in = blocks_of(in);
  passed.bytes = bytes;
  return passed;
}

std::uint64_t sum(Members members, std::uint64_t IncomingCollective::*bytes) {
  std::uint64_t total = 0;
  for (const IncomingCollective& member : members)
    total += member.*bytes;
  return total;
}

std::uint64_t most(Members members, std::uint64_t IncomingCollective::*bytes) {
  std::uint64_t largest = 0;
  for (const IncomingCollective& member : members)
    largest = std::max(largest, member.*bytes);
  return largest;
}

/// What each gets from the root, or gives it: all but the root say so. The root gets the rest of
/// what it says of all.
Bytes parts(Members members, std::uint64_t IncomingCollective::*part,
            std::uint64_t IncomingCollective::*whole) {
  const std::size_t root = members.front().root;
  Bytes parts;
  std::uint64_t others = 0;
  for (std::size_t m = 0; m < members.size(); ++m) {
    parts.push_back(members[m].*part);
    others += m == root ? 0 : members[m].*part;
  }
  const std::uint64_t all = members[root].*whole;
  if (parts[root] == 0 && all > others)
    parts[root] = all - others;
  return parts;
}

/// What each contributes to all: counted once, or once for each member.
Bytes contributions(Members members) {
  Bytes own;
  for (const IncomingCollective& member : members)
    own.push_back(member.sent);
  const std::uint64_t received = most(members, &IncomingCollective::received);
  if (members.size() > 1 && std::accumulate(own.begin(), own.end(), std::uint64_t{0}) > received)
    for (std::uint64_t& bytes : own)
      bytes /= members.size();
  return own;
}

std::vector<Passed> rooted_of_one_size(Members members) {
  std::uint64_t bytes = 0;
  const std::size_t root = members.front().root;
  for (std::size_t m = 0; m < members.size(); ++m)
    if (m != root)
      bytes = std::max({bytes, members[m].sent, members[m].received});
  if (members.size() == 1)
    bytes = std::max(members[0].sent, members[0].received);
  std::vector<Passed> all;
  const bool from_root = shape_of(members.front().operation) == Shape::from_root;
  for (std::size_t m = 0; m < members.size(); ++m)
    all.push_back(both({bytes}, {}, from_root && m != root ? 0 : bytes));
  return all;
}

std::vector<Passed> gathered(Members members, bool varying) {
  const Bytes own = parts(members, &IncomingCollective::sent, &IncomingCollective::received);
  std::vector<Passed> all;
  for (std::size_t m = 0; m < members.size(); ++m) {
    const bool root = m == members.front().root;
    all.push_back(both({own[m]}, !root ? Bytes{} : varying ? own : Bytes{own[m]}, own[m]));
  }
  return all;
}

std::vector<Passed> scattered(Members members, bool varying) {
  const Bytes own = parts(members, &IncomingCollective::received, &IncomingCollective::sent);
  const std::uint64_t total = std::accumulate(own.begin(), own.end(), std::uint64_t{0});
  std::vector<Passed> all;
  for (std::size_t m = 0; m < members.size(); ++m) {
    const bool root = m == members.front().root;
    all.push_back(both(!root     ? Bytes{}
                       : varying ? own
                                 : Bytes{own[m]},
                       {own[m]}, root ? total : 0));
  }
  return all;
}

std::vector<Passed> gathered_by_all(Members members, bool varying) {
  const Bytes own = contributions(members);
  std::vector<Passed> all;
  for (std::size_t m = 0; m < members.size(); ++m)
    all.push_back(both({own[m]}, varying ? own : Bytes{own[m]}, own[m]));
  return all;
}

std::vector<Passed> exchanged_equally(Members members) {
  const std::uint64_t block = most(members, &IncomingCollective::sent) / members.size();
  return std::vector<Passed>(members.size(), both({block}, {block}, block * members.size()));
}

/// Both sides of a pair say the same.
std::vector<Passed> exchanged_by_pairs(Members members) {
  const double total =
      static_cast<double>(std::max<std::uint64_t>(1, sum(members, &IncomingCollective::received)));
  const auto between = [&](std::size_t from, std::size_t to) {
    const double share = static_cast<double>(members[to].received) / total;
    constexpr double whole_elements = 8; // so that no element is cut
    return static_cast<std::uint64_t>(static_cast<double>(members[from].sent) * share /
                                      whole_elements) *
           8;
  };
  std::vector<Passed> all;
  for (std::size_t m = 0; m < members.size(); ++m) {
    Bytes out;
    Bytes in;
    for (std::size_t other = 0; other < members.size(); ++other) {
      out.push_back(between(m, other));
      in.push_back(between(other, m));
    }
    all.push_back(both(out, in, members[m].sent));
  }
  return all;
}

/// What each reduces and gets: one block for each member.
std::vector<Passed> reduced_and_scattered(Members members, bool varying) {
  Bytes blocks;
  for (const IncomingCollective& member : members)
    blocks.push_back(member.received);
  const std::uint64_t total = std::accumulate(blocks.begin(), blocks.end(), std::uint64_t{0});
  return std::vector<Passed>(members.size(), both(varying ? blocks : Bytes{blocks[0]}, {}, total));
}

std::vector<Passed> of_one_size(Members members) {
  std::uint64_t bytes = 0;
  for (const IncomingCollective& member : members)
    bytes = std::max({bytes, member.received, member.sent});
  if (const std::uint64_t least =
          std::ranges::min(members, {}, &IncomingCollective::received).received;
      least > 0)
    bytes = std::min(bytes, least);
  return std::vector<Passed>(members.size(), both({bytes}, {}, bytes));
}

} // namespace

Shape shape_of(Collective operation) {
  switch (operation) {
  case Collective::bcast:
  case Collective::scatter:
  case Collective::scatterv:
    return Shape::from_root;
  case Collective::gather:
  case Collective::gatherv:
  case Collective::reduce:
    return Shape::to_root;
  case Collective::scan:
    return Shape::scan;
  default:
    return Shape::all;
  }
}

bool has_root(Collective operation) {
  const Shape shape = shape_of(operation);
  return shape == Shape::from_root || shape == Shape::to_root;
}

std::vector<Passed> passed_to(Members members) {
  switch (const Collective operation = members.front().operation) {
  case Collective::barrier:
  case Collective::makes_communicator:
    return std::vector<Passed>(members.size());
  case Collective::bcast:
  case Collective::reduce:
    return rooted_of_one_size(members);
  case Collective::gather:
  case Collective::gatherv:
    return gathered(members, operation == Collective::gatherv);
  case Collective::scatter:
  case Collective::scatterv:
    return scattered(members, operation == Collective::scatterv);
  case Collective::allgather:
  case Collective::allgatherv:
    return gathered_by_all(members, operation == Collective::allgatherv);
  case Collective::alltoall:
    return exchanged_equally(members);
  case Collective::alltoallv:
    return exchanged_by_pairs(members);
  case Collective::reduce_scatter:
  case Collective::reduce_scatter_block:
    return reduced_and_scattered(members, operation == Collective::reduce_scatter);
  case Collective::allreduce:
  case Collective::scan:
    return of_one_size(members);
  }
  return {};
}

} // namespace hypermile::trace
