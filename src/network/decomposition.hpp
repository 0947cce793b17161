#pragma once

#include "model/dependency/calls.hpp"
#include "model/dependency/protocol.hpp"
#include "model/interconnect.hpp"
#include "network/algorithms.hpp"

#include <string_view>
#include <vector>

namespace hypermile::network {

// The vocabulary of timelines and their dependencies.
using namespace model;
using namespace model::dependency;

/// Collective operations as messages on a known network. How an MPI library does them is not
/// recorded. So each kind (same function, communicator, root and bytes) is tried with the usual
/// algorithms, and gets the one that explains best when ranks were seen to leave, unless even
/// that one is more than `largest_unexplained` off.
class Decomposition {
public:
  struct Kind {
    std::string_view algorithm;
    Exchange exchange;
    std::vector<double> beyond; ///< by member: how much longer it stays than for messages; s
  };

  Decomposition() = default;
  /// Blocking operations whose members all have routes to each other. Members count as numbered
  /// in the order of their ranks in MPI_COMM_WORLD.
  Decomposition(const Matching& matching, const Calls& calls, const Protocol& protocol,
                const Interconnect& network);

  /// Null where the operation keeps its constant cost. `collective`: in Matching::collectives().
  [[nodiscard]] const Kind* kind(LinkIndex collective) const {
    const std::uint32_t index = kind_of_.empty() ? nothing : kind_of_[collective];
    return index == nothing ? nullptr : &kinds_[index];
  }

  /// What became of a function's operations.
  struct Use {
    std::string_view function;
    std::string_view algorithm; ///< empty: constant costs
    std::size_t operations = 0;
  };
  /// By function and algorithm. `matching`: the same.
  [[nodiscard]] std::vector<Use> uses(const Matching& matching) const;

private:
  std::vector<Kind> kinds_;
  std::vector<std::uint32_t> kind_of_; ///< by collective operation; or nothing
};

/// Mean distance of the moments at which members leave, over what the operation takes after the
/// last one has come: an algorithm that misses by more is not the one.
inline constexpr double largest_unexplained = 0.05;

} // namespace hypermile::network
