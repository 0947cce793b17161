#pragma once

#include "backend/simgrid/alarm.hpp"
#include "control/ports.hpp"
#include "govern/governor.hpp"

#include <simgrid/s4u.hpp>

#include <memory>
#include <optional>

namespace hypermile::runtime::pmpi {

/// A simulated host whose gear a governor sets. What else sets it, a method, does so while a rank
/// computes or ends a call: that is the gear which the governor may change in between.
class GovernedNode {
public:
  /// The ranks of the host compute. `change`: so much later than the governor wishes the host has
  /// another gear.
  GovernedNode(::simgrid::s4u::Host& host, std::unique_ptr<govern::Governor> governor,
               Seconds change = {});

  [[nodiscard]] const ::simgrid::s4u::Host& host() const { return host_; }
  /// For the next rank of the host.
  std::unique_ptr<control::CallListener> listener();
  /// The program has ended: the gear is that in which its ranks would compute on.
  void end();

private:
  class Listener;
  [[nodiscard]] govern::Moment now();
  void follow(const govern::Wish& wish);
  void want(model::Gear gear);
  void take();
  [[nodiscard]] bool is_changing() const;

  /// That the host is about to have.
  struct Change {
    model::Gear from;
    model::Gear to;
  };

  ::simgrid::s4u::Host& host_;
  std::unique_ptr<govern::Governor> governor_;
  std::size_t listeners_ = 0;
  model::Gear chosen_;
  bool governed_ = false; ///< the gear is the governor's, and not the chosen one
  bool ended_ = false;
  Seconds time_of_change_;
  std::optional<Change> changing_{};
  backend::simgrid::Alarm changed_;
  backend::simgrid::Alarm alarm_;
};

} // namespace hypermile::runtime::pmpi
