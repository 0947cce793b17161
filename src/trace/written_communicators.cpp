#include "trace/written_communicators.hpp"

#include "runtime/pmpi/observe/communicator.hpp"

#include <algorithm>
#include <iterator>

namespace hypermile::trace {

using Numbered = runtime::pmpi::Communicator;

WrittenCommunicators::WrittenCommunicators(const model::Timeline& timeline) {
  const std::size_t ranks = timeline.ranks.size();
  for (std::uint32_t r = 0; r < ranks; ++r) {
    selves_.insert(Numbered::self(static_cast<int>(r)).number());
    for (const model::Operation& operation : timeline.ranks[r].operations)
      if (operation.action != model::Action::complete && operation.action != model::Action::other)
        members_[operation.communicator].insert(r);
  }
  members_.erase(Numbered::world(static_cast<int>(ranks)).number());
  for (const std::uint64_t self : selves_)
    members_.erase(self);
  std::uint32_t next = 2;
  for (const auto& [number, members] : members_)
    numbers_[number] = next++;
}

std::uint32_t WrittenCommunicators::number(std::uint64_t communicator) const {
  const auto found = numbers_.find(communicator);
  if (found != numbers_.end())
    return found->second;
  return selves_.contains(communicator) ? 1 : 0;
}

std::uint32_t WrittenCommunicators::rank_in(std::uint64_t communicator, std::int32_t rank) const {
  const auto world = static_cast<std::uint32_t>(std::max(rank, 0));
  const auto found = members_.find(communicator);
  if (found == members_.end())
    return selves_.contains(communicator) ? 0 : world;
  return static_cast<std::uint32_t>(
      std::distance(found->second.begin(), found->second.find(world)));
}

std::map<std::uint32_t, std::vector<std::uint64_t>> WrittenCommunicators::made() const {
  std::map<std::uint32_t, std::vector<std::uint64_t>> made;
  for (const auto& [communicator, members] : members_)
    made[numbers_.at(communicator)] = {members.begin(), members.end()};
  return made;
}

} // namespace hypermile::trace
