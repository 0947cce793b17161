#pragma once

#include "model/timeline.hpp"

#include <cstdint>
#include <vector>

namespace hypermile::model::dependency {

/// When the ranks of a run did what: as it was recorded, or as it would be in given gears.
struct Schedule {
  struct Call {
    std::uint32_t first = 0; ///< event of the rank: the first of an MPI call
    std::uint32_t end = 0;   ///< the event after its last
    Seconds entered;
    Seconds left;
  };
  /// A time inside of a call in which the rank waited for others.
  struct Wait {
    Seconds begin;
    Seconds end;
  };
  struct Rank {
    Seconds begin; ///< of the computation before the first call
    Seconds end;   ///< when it had done all
    std::vector<Call> calls;
    std::vector<Wait> waits; ///< ascending
  };
  std::vector<Rank> ranks;

  /// Of the first rank.
  [[nodiscard]] Seconds begin() const;
  /// Of the last rank.
  [[nodiscard]] Seconds end() const;
  /// What the rank computes: all that is not inside of a call.
  [[nodiscard]] Seconds computing(std::size_t rank) const;
};

/// As the timeline was recorded. Of waiting it knows nothing: `waits` are empty. Where hypermile
/// itself needed time, the rank has that as computation.
[[nodiscard]] Schedule recorded_schedule(const Timeline& timeline);

} // namespace hypermile::model::dependency
