#include "replay/program/communicators.hpp"

#include "runtime/pmpi/observe/communicator.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace hypermile::replay {
namespace {

using Numbered = runtime::pmpi::Communicator;

std::vector<int> from_zero(int count) {
  std::vector<int> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

} // namespace

Communicators::Communicators(int rank, int ranks) : rank_(rank), ranks_(ranks) {
  std::vector<int> alone(static_cast<std::size_t>(ranks), MPI_PROC_NULL);
  alone[static_cast<std::size_t>(rank)] = 0;
  known_[Numbered::world(ranks).number()] = {MPI_COMM_WORLD, from_zero(ranks)};
  known_[Numbered::self(rank).number()] = {MPI_COMM_SELF, std::move(alone)};
}

const Communicators::Communicator& Communicators::at(std::uint64_t number) const {
  const auto found = known_.find(number);
  if (found == known_.end())
    throw Error(ErrorKind::config,
                fmt::format("rank {} uses a communicator that it has not made", rank_),
                "a recording from the begin of the run");
  return found->second;
}

void Communicators::keep(const model::Arguments& arguments, MPI_Comm made) {
  Communicator& kept = known_[arguments.made];
  kept.handle = made;
  kept.rank_of.assign(static_cast<std::size_t>(ranks_), MPI_PROC_NULL);
  for (std::size_t i = 0; i < arguments.members.size(); ++i)
    kept.rank_of.at(arguments.members[i]) = static_cast<int>(i);
}

/// Whether all members of the one are in the other, with the same ranks.
bool Communicators::keeps_order(const Communicator& parent, const model::Arguments& arguments) {
  int size = 0;
  PMPI_Comm_size(parent.handle, &size);
  if (arguments.members.size() != static_cast<std::size_t>(size))
    return false;
  for (std::size_t i = 0; i < arguments.members.size(); ++i)
    if (parent.rank_of.at(arguments.members[i]) != static_cast<int>(i))
      return false;
  return true;
}

MPI_Group Communicators::group_of(const model::Arguments& arguments) const {
  const std::vector<int> members(arguments.members.begin(), arguments.members.end());
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Group group = MPI_GROUP_NULL;
  PMPI_Comm_group(MPI_COMM_WORLD, &all);
  PMPI_Group_incl(all, static_cast<int>(members.size()), members.data(), &group);
  PMPI_Group_free(&all);
  return group;
}

void Communicators::make(const Communicator& parent, const std::string& function,
                         const model::Arguments& arguments) {
  MPI_Comm made = MPI_COMM_NULL;
  if (function == "Comm_dup") {
    MPI_Comm_dup(parent.handle, &made);
  } else if (function == "Comm_create") {
    MPI_Group group = group_of(arguments);
    MPI_Comm_create(parent.handle, group, &made);
    PMPI_Group_free(&group);
  } else if (function == "Cart_create" && keeps_order(parent, arguments)) {
    const int length = static_cast<int>(arguments.members.size()); // what it looks like is the same
    const int ends = 0;
    MPI_Cart_create(parent.handle, 1, &length, &ends, 0, &made);
  } else {
    // Those who will be together name the same colour: some bits of the number are enough, as all
    // that are made at a time have few numbers.
    const auto self = std::ranges::find(arguments.members, static_cast<std::uint32_t>(rank_));
    const int colour =
        arguments.made == 0 ? MPI_UNDEFINED : static_cast<int>(arguments.made % 2147483647U);
    MPI_Comm_split(parent.handle, colour, static_cast<int>(self - arguments.members.begin()),
                   &made);
  }
  if (arguments.made != 0)
    keep(arguments, made);
}

void Communicators::make_by_members(const model::Arguments& arguments) {
  MPI_Group group = group_of(arguments);
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Comm_create_group(MPI_COMM_WORLD, group, 0, &made);
  PMPI_Group_free(&group);
  keep(arguments, made);
}

} // namespace hypermile::replay
