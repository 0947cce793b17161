#pragma once

#include "report/job_ratios.hpp"

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

/// A rank's run from one choice of gears to the next, and what that took.
namespace hypermile::report {

/// What a rank had done by some moment.
struct Mark {
  Seconds time;
  Seconds computation;
  double calls;
  Seconds stolen{};
};

Mark loop_begin(const runtime::RankReport& rank);
Mark loop_end(const runtime::RankReport& rank);
inline Mark later(const Mark& a, const Mark& b) { return a.time < b.time ? b : a; }
inline Mark earlier(const Mark& a, const Mark& b) { return a.time < b.time ? a : b; }

/// From one choice to the next; none: from the beginning to the first one. Nothing changes
/// meanwhile.
using Period = std::optional<std::size_t>;

/// All of a rank's run.
std::vector<Period> periods_of(const runtime::RankReport& rank);

/// Its part of a rank's run: none where the choice came too late for the rank.
std::optional<std::pair<Mark, Mark>> part_of(const runtime::RankReport& rank, const Period& period);

/// Of a node, as the rank that sets it tells.
model::Gear gear_in(const runtime::RankReport& leader, const Period& period);

/// What of that part of a period the rank spent in gear 0 all the same, as if it were spread
/// evenly.
struct Away {
  Seconds time;
  Seconds computation;
};
Away away_in(const runtime::RankReport& rank, const Period& period, const Mark& from,
             const Mark& to);

struct Spent {
  Joules in_gear;
  Joules away; ///< in gear 0 all the same
  [[nodiscard]] Joules sum() const { return in_gear + away; }
};

/// What a rank's part of its node's energy is between two moments of a period, by the power table:
/// the node waits as long as its leader is there, and more is drawn by what each rank computes.
Spent energy_of(const runtime::RankReport& rank, const Leaders& leaders, const Period& period,
                const Mark& from, const Mark& to);

} // namespace hypermile::report
