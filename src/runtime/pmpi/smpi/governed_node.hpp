#pragma once

#include "backend/simgrid/alarm.hpp"
#include "control/ports.hpp"
#include "govern/governor.hpp"

#include <simgrid/s4u.hpp>

#include <memory>

namespace hypermile::runtime::pmpi {

/// A simulated host whose gear a governor sets. What else sets it, a method, does so while a rank
/// computes or ends a call: that is the gear which the governor may change in between.
class GovernedNode {
public:
  /// The ranks of the host compute.
  GovernedNode(::simgrid::s4u::Host& host, std::unique_ptr<govern::Governor> governor);

  [[nodiscard]] const ::simgrid::s4u::Host& host() const { return host_; }
  /// For the next rank of the host.
  std::unique_ptr<control::CallListener> listener();
  /// The program has ended: the gear is that in which its ranks would compute on.
  void end();

private:
  class Listener;
  [[nodiscard]] govern::Moment now();
  void follow(const govern::Wish& wish);

  ::simgrid::s4u::Host& host_;
  std::unique_ptr<govern::Governor> governor_;
  std::size_t listeners_ = 0;
  model::Gear chosen_;
  bool governed_ = false; ///< the gear is the governor's, and not the chosen one
  bool ended_ = false;
  backend::simgrid::Alarm alarm_;
};

} // namespace hypermile::runtime::pmpi
