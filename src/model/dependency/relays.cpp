#include "model/dependency/relays.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <tuple>

namespace hypermile::model::dependency {
namespace {

enum class Tree : std::uint8_t { binomial, binomial_from_near, binary, chain, flat };

/// Where nothing tells them apart, the first: MPICH, SimGrid and many others do short ones so.
constexpr std::array trees{Tree::binomial, Tree::binomial_from_near, Tree::binary, Tree::chain,
                           Tree::flat};

/// Ranks are counted from the root, which is 0.
std::size_t parent(Tree tree, std::size_t rank) {
  switch (tree) {
  case Tree::binomial:
    return rank & (rank - 1);
  case Tree::binomial_from_near:
    return rank ^ std::bit_floor(rank);
  case Tree::binary:
    return (rank - 1) / 2;
  case Tree::chain:
    return rank - 1;
  case Tree::flat:
    break;
  }
  return 0;
}

/// Operations that take the same way: by communicator, function and size.
using Kind = std::tuple<std::uint64_t, std::uint16_t, std::uint64_t>;

/// The ranks of one operation, from its root on.
using Members = std::vector<EventIndex>;

class RelayFinder {
public:
  RelayFinder(const Matching& matching, const Calls& calls) : matching_(matching), calls_(calls) {
    for (const Collective& collective : matching.collectives())
      if (is_whole(collective))
        kinds_[kind(collective.root)].push_back(members(collective));
  }

  [[nodiscard]] std::vector<EventIndex> find() const {
    std::vector<EventIndex> relays(matching_.event_count(), nothing);
    for (const auto& [kind, operations] : kinds_) {
      const Tree tree = best(operations);
      for (const Members& members : operations)
        for (std::size_t rank = 1; rank < members.size(); ++rank)
          relays[members[rank]] = members[parent(tree, rank)];
    }
    return relays;
  }

private:
  [[nodiscard]] bool is_whole(const Collective& collective) const {
    return collective.root != nothing &&
           matching_.operation(collective.root).shape == Shape::from_root &&
           collective.arrivals.size() == matching_.operation(collective.root).members &&
           std::ranges::all_of(collective.arrivals, [&](EventIndex arrival) {
             const EventIndex completion = matching_.completion(arrival);
             return completion != nothing && calls_.first(completion) == calls_.first(arrival);
           });
  }
  [[nodiscard]] Kind kind(EventIndex root) const {
    const Operation& operation = matching_.operation(root);
    return {operation.communicator, operation.function, operation.bytes};
  }
  static Members members(const Collective& collective) {
    Members members = collective.arrivals;
    std::rotate(members.begin(), std::ranges::find(members, collective.root), members.end());
    return members;
  }

  /// The waiting that a tree leaves without a reason; and, many times over, that which it demands
  /// where nobody waited.
  [[nodiscard]] Seconds unexplained(Tree tree, const std::vector<Members>& operations) const {
    constexpr Seconds clocks{20e-6}; // may be off by this
    constexpr double wrong = 100;
    Seconds waiting;
    for (const Members& members : operations) {
      std::vector<Seconds> there{calls_.entered(members.front())}; // it, and all on the way to it
      for (std::size_t rank = 1; rank < members.size(); ++rank) {
        const Seconds handed = there[parent(tree, rank)];
        const Seconds left = calls_.left(members[rank]);
        there.push_back(std::max(handed, calls_.entered(members[rank])));
        waiting += std::max(left - there.back(), Seconds{}) +
                   std::max(handed - left - clocks, Seconds{}) * wrong;
      }
    }
    return waiting;
  }

  [[nodiscard]] Tree best(const std::vector<Members>& operations) const {
    constexpr double clearly_less = 0.8;
    Tree best = trees.front();
    Seconds least = unexplained(best, operations);
    for (const Tree tree : trees)
      if (const Seconds waiting = unexplained(tree, operations); waiting < least * clearly_less) {
        least = waiting;
        best = tree;
      }
    return best;
  }

  const Matching& matching_;
  const Calls& calls_;
  std::map<Kind, std::vector<Members>> kinds_;
};

} // namespace

std::vector<EventIndex> find_relays(const Matching& matching, const Calls& calls) {
  return RelayFinder(matching, calls).find();
}

} // namespace hypermile::model::dependency
