#pragma once

#include "model/problem.hpp"

#include <cstdint>
#include <vector>

namespace hypermile::select {

/// The best a group can do when its longest computation takes exactly `longest`.
struct SweepPoint {
  Seconds longest;               ///< max over the units of their computation time
  Seconds time;                  ///< of the group: longest + communication
  Joules energy;                 ///< least energy of the group at exactly that time
  std::uint32_t forced_unit = 0; ///< a unit that must take `forced_gear` to need that long
  std::uint32_t forced_gear = 0;
  /// Active power of those gears, and of the least-power gears that take exactly as long, with
  /// the energy of the latter. Only where the sweep was asked for them.
  Watts power;
  Watts least_power;
  Joules least_power_energy;
};

/// The forced sweep of one group (docs/selection.md, Theorem 2): for every time that the group
/// can take, the least energy among the gear vectors that take exactly that time. Sorts all
/// (unit, gear) pairs: O(K log K).
class GroupSweep {
public:
  /// Fills points() by ascending time: one per time, or with `powers` one per time and unit that
  /// can be the longest.
  void run(const model::Problem& problem, std::size_t group, bool powers = false);
  [[nodiscard]] const std::vector<SweepPoint>& points() const { return points_; }

private:
  struct Event {
    Seconds at;
    std::uint32_t unit;
    std::uint32_t gear;
    std::uint32_t order; // of events of one unit at the same time
  };
  /// One gear per unit, and what they take together.
  struct Vector {
    std::vector<std::uint32_t> gear;
    std::size_t started = 0; // units that have a gear already
    Joules energy;
    Watts waiting;
    Watts power;

    void reset(const model::Problem& problem, const model::Group& group);
    void apply(const model::Problem& problem, const Event& event, bool powers);
    [[nodiscard]] Joules forced_energy(const model::Problem& problem, const Event& event,
                                       Seconds time) const;
    [[nodiscard]] Watts forced_power(const model::Problem& problem, const Event& event) const;
  };
  void collect(const model::Problem& problem, const model::Group& group, bool powers);
  void order_by_time(const model::Problem& problem, std::uint32_t unit);
  void add_switches(const model::Problem& problem, std::uint32_t unit, Seconds communication);
  void add_crossings(const model::Problem& problem, std::uint32_t unit, std::size_t admitted,
                     Seconds communication, std::uint32_t& best);
  void add_power_switches(const model::Problem& problem, std::uint32_t unit);
  [[nodiscard]] SweepPoint point(const model::Problem& problem, const Event& forced, Seconds time,
                                 bool powers) const;

  std::vector<Event> candidates_;     // every gear, at the time it takes
  std::vector<Event> switches_;       // from this longest time on, the unit's best gear is this one
  std::vector<Event> power_switches_; // the same for its least-power gear
  std::vector<std::uint32_t> by_time_;
  Vector best_;
  Vector least_power_;
  std::vector<SweepPoint> points_;
};

/// The least-energy (or least-power) gears of a group among those that take no longer than the
/// point, with the forced unit in its forced gear.
void assign_gears(const model::Problem& problem, std::size_t group, const SweepPoint& point,
                  std::vector<model::Gear>& gears, bool least_power = false);

} // namespace hypermile::select
