#include "runtime/pmpi/observe/communicator.hpp"

#include "runtime/record/mixed.hpp"

#include <numeric>

namespace hypermile::runtime::pmpi {
namespace {

/// Numbers of communicators that a program makes have this bit; MPI_COMM_WORLD is 1 and
/// MPI_COMM_SELF 2 and more, one per rank.
constexpr std::uint64_t made_by_the_program = std::uint64_t{1} << 63;
constexpr std::uint64_t world_number = 1;
constexpr std::uint64_t first_self_number = 2;

std::uint64_t hash_of(std::uint64_t parent, Function function, const std::vector<int>& members) {
  std::uint64_t hash = mixed(parent, static_cast<std::uint64_t>(function));
  for (const int member : members)
    hash = mixed(hash, static_cast<std::uint64_t>(member));
  return hash;
}

} // namespace

Communicator Communicator::world(int ranks) {
  std::vector<int> members(static_cast<std::size_t>(ranks));
  std::iota(members.begin(), members.end(), 0);
  return {world_number, std::move(members)};
}

Communicator Communicator::self(int world_rank) {
  return {first_self_number + static_cast<std::uint64_t>(world_rank), {world_rank}};
}

Communicator Communicator::child(std::uint64_t count, Function function,
                                 std::vector<int> members) const {
  const std::uint64_t hash = mixed(hash_of(number_, function, members), count);
  return {hash | made_by_the_program, std::move(members)};
}

Communicator Communicator::group_child(int tag, std::vector<int> members) {
  const std::uint64_t group = mixed(hash_of(number_, Function::Comm_create_group, members),
                                    static_cast<std::uint64_t>(tag));
  const std::uint64_t hash = mixed(group, group_children_[group]++);
  return {hash | made_by_the_program, std::move(members)};
}

} // namespace hypermile::runtime::pmpi
