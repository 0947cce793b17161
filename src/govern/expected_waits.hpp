#pragma once

#include "govern/governor.hpp"

#include <array>
#include <optional>
#include <unordered_map>

namespace hypermile::govern {

/// How long the calls of one rank are expected to take. In a loop the k-th call of a place within
/// an iteration does the same in every iteration, so it is expected to take as long as the shortest
/// of its last three. That is little rather than much: a node whose gear is low because of it has
/// to be in its gear again when the call returns.
class ExpectedWaits {
public:
  /// The rank enters a call. None: too little is known of it, or there is no loop.
  std::optional<Seconds> enter(const Entry& entry, Seconds now);
  /// It leaves the call that it has entered last.
  void leave(Seconds now);

private:
  static constexpr std::size_t memory = 3;        ///< times that a call is remembered
  static constexpr std::size_t needed = 2;        ///< before anything is expected of it
  static constexpr std::size_t most_calls = 4096; ///< others are not known

  /// Of one place, in the iteration under way.
  struct Place {
    std::size_t iteration = 0;
    std::uint64_t calls = 0;
  };
  struct Call {
    std::array<Seconds, memory> took{};
    std::size_t times = 0;
  };

  std::unordered_map<CallSite, Place> places_;
  std::unordered_map<std::uint64_t, Call> calls_;
  Call* under_way_ = nullptr; ///< null: none that is remembered
  Seconds entered_{};
};

} // namespace hypermile::govern
