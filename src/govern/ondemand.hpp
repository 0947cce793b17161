#pragma once

#include "govern/governor.hpp"

#include <vector>

namespace hypermile::govern {

/// How often the load of a node is looked at, and above which load it gets gear 0: defaults of
/// Linux (Documentation/admin-guide/pm/cpufreq.rst: sampling_rate, up_threshold).
inline constexpr Seconds sampling_period{10e-3};
inline constexpr double up_threshold = 0.8;

/// The gear for a load from 0 to 1: above `up_threshold` gear 0, else the slowest one whose
/// frequency is at least so large a share of the highest one.
model::Gear gear_for_load(double load, const model::GearTable& gears);

/// As Linux's ondemand: after each `sampling_period` the gear is set by the load in it. The load is
/// the share of the period in which a rank computed, of the rank with the largest one. A rank that
/// spins while it waits is a load, too: ranks spin on a node that draws as much while they wait as
/// while they compute.
class Ondemand final : public Governor {
public:
  explicit Ondemand(const Node& node);

  Wish begin(const Moment& now) override;
  Wish enter(std::size_t rank, const Moment& now, const Entry& entry) override;
  Wish leave(std::size_t rank, const Moment& now, CallSite call) override;
  Wish wake(const Moment& now) override;

private:
  struct Rank {
    bool computes = true;
    Seconds since{}; ///< it does or does not; or the begin of the period, if that is later
    Seconds busy{};  ///< in the period before that
  };

  void count(Rank& rank, Seconds now) const;
  Wish change(std::size_t rank, Seconds now, bool computes);

  model::GearTable gears_;
  bool spins_;
  std::vector<Rank> ranks_;
  model::Gear gear_ = 0;
  Seconds period_begin_{};
  bool samples_ = true;  ///< false: nothing has changed for a period, and nothing would
  bool changed_ = false; ///< in this period
};

} // namespace hypermile::govern
