#pragma once

#include "control/ports.hpp"
#include "runtime/exchange/clock_offset.hpp"
#include "runtime/exchange/interpolated_clock.hpp"
#include "runtime/exchange/tree_exchange.hpp"
#include "runtime/pmpi/real/job_communicators.hpp"

#include <chrono>
#include <cstdint>

namespace hypermile::runtime::pmpi {

/// Seconds since the machine was started.
inline Seconds monotonic_time() {
  const auto since_boot = std::chrono::steady_clock::now().time_since_epoch();
  return Seconds{std::chrono::duration<double>(since_boot).count()};
}

/// Where Linux itself takes the processor's counter for its clock, that counts evenly, and alike on
/// all processors.
bool counter_is_the_clock();

/// Rank 0's clock, as far as another machine can know it. Read at the begin and the end of every
/// MPI call.
class CommonClock final : public control::Clock {
public:
  explicit CommonClock(const ClockOffset& offset) : offset_(offset) {}
  [[nodiscard]] Seconds now() const override {
    return on_other_clock(offset_, by_counter_ ? clock_.now() : monotonic_time());
  }

private:
  struct Source {
    static Seconds exact() { return monotonic_time(); }
    static std::uint64_t ticks();
  };

  ClockOffset offset_;
  bool by_counter_ = counter_is_the_clock();
  mutable InterpolatedClock<Source> clock_; ///< only the rank itself reads it
};

inline std::uint64_t CommonClock::Source::ticks() {
#ifdef __x86_64__
  return __builtin_ia32_rdtsc();
#else
  return 0;
#endif
}

/// By how much rank 0's clock is ahead of this machine's. Each leader of a machine asks its parent
/// in the tree; the ranks of a machine share its clock. Collective.
ClockOffset offset_of_first(const JobCommunicators& job, const TreePlace& place);

} // namespace hypermile::runtime::pmpi
