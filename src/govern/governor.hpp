#pragma once

#include "model/platform.hpp"
#include "units/quantity.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace hypermile::govern {

/// A node, and how many ranks of the program it has: at least one.
struct Node {
  model::NodeType type;
  std::size_t ranks = 1;
  Seconds change{}; ///< so much later than wished it has another gear
};

/// When something happens.
struct Moment {
  Seconds time;         ///< never less than that of what happened before
  model::Gear chosen{}; ///< that a method has chosen for the node; 0: it has not, or gear 0
};

/// What a governor wants from now on, until something else happens.
struct Wish {
  std::optional<model::Gear> gear{}; ///< of the node; none: the one that was chosen
  std::optional<Seconds> wake{};     ///< when it wants to be woken; none: not at all
};

/// Function and call site of an MPI call.
using CallSite = std::uint64_t;

/// A call of MPI that begins.
struct Entry {
  // NOLINTNEXTLINE(google-explicit-constructor): most governors look at nothing else
  Entry(bool waits, CallSite of = 0, std::size_t in_iteration = 0)
      : may_wait(waits), call(of), iteration(in_iteration) {}
  bool may_wait;         ///< for other ranks
  CallSite call;         ///< 0: not known
  std::size_t iteration; ///< of the rank's loop, counted from 1; 0: none is known
};

/// Sets the gear of one node by what its ranks are doing. It is told when they enter and leave MPI,
/// and knows nothing of other nodes. Ranks of a node are counted from 0.
class Governor {
public:
  virtual ~Governor() = default;
  /// The program begins: all ranks compute.
  virtual Wish begin(const Moment& now) = 0;
  /// A rank that computed enters MPI.
  virtual Wish enter(std::size_t rank, const Moment& now, const Entry& entry) = 0;
  /// It leaves MPI, and computes again.
  virtual Wish leave(std::size_t rank, const Moment& now, CallSite call) = 0;
  /// The time for which it wished last has come, and nothing else has happened since.
  virtual Wish wake(const Moment& now) = 0;
};

} // namespace hypermile::govern
