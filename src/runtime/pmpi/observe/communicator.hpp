#pragma once

#include "runtime/pmpi/functions.hpp"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace hypermile::runtime::pmpi {

/// A communicator as the timeline knows it: by a number that is the same on all its members and,
/// for all practical purposes, no other's. Ranks find the same number without a message, since
/// all members of a communicator make others from it in the same order.
class Communicator {
public:
  static Communicator world(int ranks);
  static Communicator self(int world_rank);

  /// How many communicators were made of this one by functions that all members call. To be
  /// called once for each, on all members, also on those that did not become members of the new.
  std::uint64_t count_child() { return children_++; }
  /// The one of this count, made by this function, with these members: world ranks, in the order
  /// of their ranks in it.
  [[nodiscard]] Communicator child(std::uint64_t count, Function function,
                                   std::vector<int> members) const;
  /// What MPI_Comm_create_group made of it, which only the new members call.
  Communicator group_child(int tag, std::vector<int> members);

  [[nodiscard]] std::uint64_t number() const { return number_; }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(world_.size()); }
  [[nodiscard]] bool has(int rank) const {
    return rank >= 0 && static_cast<std::size_t>(rank) < world_.size();
  }
  /// The rank in MPI_COMM_WORLD of a rank in this communicator; -1 if it has no such rank.
  [[nodiscard]] int world_rank(int rank) const {
    return has(rank) ? world_[static_cast<std::size_t>(rank)] : -1;
  }

private:
  Communicator(std::uint64_t number, std::vector<int> members)
      : number_(number), world_(std::move(members)) {}

  std::uint64_t number_;
  std::vector<int> world_;
  std::uint64_t children_ = 0;
  /// How often it made one of the same members with the same tag.
  std::unordered_map<std::uint64_t, std::uint64_t> group_children_;
};

} // namespace hypermile::runtime::pmpi
