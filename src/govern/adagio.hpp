#pragma once

#include "govern/governor.hpp"
#include "govern/waiting_ranks.hpp"

#include <array>
#include <unordered_map>
#include <vector>

namespace hypermile::govern {

/// Tasks that compute less than this, had they been run in gear 0, stay in gear 0; and waits that
/// did not last twice as long the last time are no reason to lower the gear.
inline constexpr Seconds adagio_threshold{1e-3};
/// A task is expected to be the worst of so many last times.
inline constexpr std::size_t adagio_memory = 3;
/// Share of a task's time that is left as slack.
inline constexpr double adagio_reserve = 0.01;

/// What a rank does from one call that may wait to the end of the next one.
class AdagioTask {
public:
  /// It was executed: it computed for `computation`, which would have taken `in_gear0` in gear 0,
  /// and was then in the call.
  void learn(Seconds computation, Seconds in_gear0, Seconds call);

  /// The slowest gear in which the computation leaves the reserve of its slack; 0 if it left less
  /// than half of that the last time, because others may have waited for it then.
  [[nodiscard]] model::Gear gear(const model::GearTable& gears) const;
  /// Whether the call took at least twice the threshold.
  [[nodiscard]] bool waits_long() const { return call_ >= adagio_threshold * 2; }

private:
  std::array<Seconds, adagio_memory> in_gear0_{}; ///< of the last times, in a ring
  std::array<Seconds, adagio_memory> total_{};    ///< likewise: computation and call together
  std::size_t times_ = 0;
  Seconds longest_{};  ///< of in_gear0_
  Seconds deadline_{}; ///< the shortest of total_
  Seconds call_{};     ///< of the last time
  Seconds least_call_{};
  Seconds no_slack_{}; ///< of the call: it has turned out that it takes that anyway
  bool critical_ = false;
};

/// Slack reclaimed per task: Rountree et al., "Adagio: making DVS practical for complex HPC
/// applications", 2009. A task is the computation between two calls that may wait, and the second
/// one. It is recognised by the call before it, and expected to be what it was. Its gear stretches
/// the computation into the slack, which is the time in the call.
///
/// Part of that time is no slack, but the transfer of messages. It shows when a stretched task,
/// with its call, takes longer than before: by so much slack was missing, but by no more than the
/// call takes at least.
///
/// While all ranks of a node wait, the gear is lowered after `adagio_threshold` if their calls took
/// at least twice as long the last time. Of several ranks that compute the one that needs the
/// fastest gear has it.
class Adagio final : public Governor {
public:
  explicit Adagio(const Node& node);

  Wish begin(const Moment& now) override;
  Wish enter(std::size_t rank, const Moment& now, const Entry& entry) override;
  Wish leave(std::size_t rank, const Moment& now, CallSite call) override;
  Wish wake(const Moment& now) override;

private:
  struct Rank {
    std::unordered_map<CallSite, AdagioTask> tasks{}; ///< by the call before each
    CallSite task = 0;                                ///< that it is in; 0: before its first call
    model::Gear gear = 0;                             ///< for that
    Seconds computation{};                            ///< in it so far
    Seconds in_gear0{};                               ///< likewise
    Seconds entered{};                                ///< the call that ends it
  };

  void advance(Seconds now);
  [[nodiscard]] Wish wish();

  model::GearTable gears_;
  std::vector<Rank> ranks_;
  WaitingRanks waiting_;
  model::Gear gear_ = 0;
  Seconds advanced_{};
};

} // namespace hypermile::govern
