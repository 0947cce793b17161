#pragma once

#include "control/ports.hpp"
#include "runtime/clock_offset.hpp"
#include "runtime/pmpi/team.hpp"
#include "runtime/tree_exchange.hpp"

#include <chrono>

namespace hypermile::runtime::pmpi {

/// Seconds since the machine was started.
inline Seconds monotonic_time() {
  const auto since_boot = std::chrono::steady_clock::now().time_since_epoch();
  return Seconds{std::chrono::duration<double>(since_boot).count()};
}

/// Rank 0's clock, as far as another machine can know it.
class CommonClock final : public control::Clock {
public:
  explicit CommonClock(const ClockOffset& offset) : offset_(offset) {}
  [[nodiscard]] Seconds now() const override { return on_other_clock(offset_, monotonic_time()); }

private:
  ClockOffset offset_;
};

/// By how much rank 0's clock is ahead of this machine's. Each leader of a machine asks its parent
/// in the tree; the ranks of a machine share its clock. Collective.
ClockOffset offset_of_first(const Team& team, const TreePlace& place);

} // namespace hypermile::runtime::pmpi
