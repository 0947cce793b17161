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
};

/// The forced sweep of one group (docs/selection.md, Theorem 2): for every time that the group
/// can take, the least energy among the gear vectors that take exactly that time. Sorts all
/// (unit, gear) pairs: O(K log K).
class GroupSweep {
public:
  /// Fills points() by ascending time.
  void run(const model::Problem& problem, std::size_t group);
  [[nodiscard]] const std::vector<SweepPoint>& points() const { return points_; }
  /// Removes the points that another one beats in time and energy.
  void keep_front();

private:
  struct Event {
    Seconds at;
    std::uint32_t unit;
    std::uint32_t gear;
  };
  void collect(const model::Problem& problem, const model::Group& group);
  void add_switches(const model::Problem& problem, std::uint32_t unit, Seconds communication);
  void apply(const model::Problem& problem, const Event& event);
  [[nodiscard]] Joules forced_energy(const model::Problem& problem, const Event& event,
                                     Seconds time) const;

  std::vector<Event> candidates_; // every gear, at the time it takes
  std::vector<Event> switches_;   // from this longest time on, the unit's best gear is this one
  std::vector<std::uint32_t> by_time_;
  std::vector<std::uint32_t> best_;
  std::size_t started_ = 0; // units that have a best gear already
  Joules energy_;           // sums over the best gears
  Watts waiting_;
  std::vector<SweepPoint> points_;
};

/// The least-energy gears of a group among those that take no longer than the point, with the
/// forced unit in its forced gear.
void assign_gears(const model::Problem& problem, std::size_t group, const SweepPoint& point,
                  std::vector<model::Gear>& gears);

} // namespace hypermile::select
