#pragma once

#include "govern/countdown.hpp"
#include "govern/expected_waits.hpp"
#include "govern/wait_gear.hpp"

#include <optional>
#include <vector>

namespace hypermile::govern {

/// Computes in the chosen gear, and waits in a lower one: at once where all ranks of the node are
/// in calls that have been long in the iterations before, and back before the first of them
/// returns; else as Countdown.
class Foresee final : public Governor {
public:
  Foresee(const Node& node, Countdown::WaitingGear gear);

  Wish begin(const Moment& now) override;
  Wish enter(std::size_t rank, const Moment& now, const Entry& entry) override;
  Wish leave(std::size_t rank, const Moment& now, CallSite call) override;
  Wish wake(const Moment& now) override { return wish(now); }

private:
  struct Rank {
    ExpectedWaits expected{};
    std::optional<Seconds> until{};
  };
  Wish wish(const Moment& now);

  model::NodeType type_;
  Countdown::WaitingGear gear_;
  WaitLimits limits_;
  WaitingRanks waiting_;
  std::vector<Rank> ranks_;
  bool low_ = false;
};

} // namespace hypermile::govern
