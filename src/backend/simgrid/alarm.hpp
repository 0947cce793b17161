#pragma once

#include "units/quantity.hpp"

#include <functional>

namespace simgrid::kernel::timer {
class Timer;
}

namespace hypermile::backend::simgrid {

/// Does something at a time of the simulation. It is no actor: it keeps no simulation from ending,
/// and hides no deadlock once it has rung.
class Alarm {
public:
  /// `ring` is called while no rank runs; it may change hosts, and set the alarm again.
  explicit Alarm(std::function<void()> ring) : ring_(std::move(ring)) {}
  Alarm(const Alarm&) = delete; // the simulation refers to it
  Alarm& operator=(const Alarm&) = delete;
  ~Alarm() { cancel(); }

  /// In place of the time that was set before.
  void set(Seconds time);
  void cancel();

private:
  std::function<void()> ring_;
  ::simgrid::kernel::timer::Timer* timer_ = nullptr; ///< null: none is set
};

} // namespace hypermile::backend::simgrid
