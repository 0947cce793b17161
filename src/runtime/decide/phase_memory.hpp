#pragma once

#include "runtime/decide/learnt.hpp"
#include "runtime/exchange/messages.hpp"

#include <cstddef>
#include <vector>

namespace hypermile::runtime {

/// The phases of a program, and what was learnt of each, kept for when it comes back. A phase is a
/// time in which each rank is in one loop, whichever that is.
class PhaseMemory {
public:
  enum class Entry {
    none,  ///< the phase is the one that it was
    first, ///< it is new
    again  ///< it is one of before
  };
  /// The phase in which these were measured, one per rank, is the present one: learnt.phase, and
  /// what was learnt of it, take the place of those of the last one.
  Entry enter(const std::vector<Measurement>& all, Learnt& learnt);

  /// Whether the rank is in this loop in that phase.
  [[nodiscard]] bool is_in(std::size_t phase, std::size_t rank, std::size_t loop) const {
    return phase < phases_.size() && phases_[phase].loops[rank] == loop;
  }
  /// By phase, by rank: Measurement::phase.
  [[nodiscard]] std::vector<std::vector<std::size_t>> loops() const;

private:
  struct Phase {
    std::vector<std::size_t> loops; ///< by rank
    Gear0Reference gear0{};
    LearntOfLevel level{};
  };
  std::vector<Phase> phases_;
};

} // namespace hypermile::runtime
