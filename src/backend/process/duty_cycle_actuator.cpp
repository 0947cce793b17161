#include "backend/process/duty_cycle_actuator.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <utility>

namespace hypermile::backend::process {

DutyCycleActuator::DutyCycleActuator(model::GearTable gears, Supervisor& supervisor,
                                     const control::Clock& clock)
    : gears_(std::move(gears)), supervisor_(supervisor), clock_(clock), use_(gears_.size()),
      since_(clock_.now()), cpu_time_since_(supervisor_.cpu_time()) {}

std::vector<GearUse> DutyCycleActuator::use() const {
  auto use = use_;
  use[gear_].time += clock_.now() - since_;
  use[gear_].cpu_time += supervisor_.cpu_time() - cpu_time_since_;
  return use;
}

void DutyCycleActuator::set_gear(std::size_t gear) {
  if (gear >= gears_.size())
    throw Error(ErrorKind::config,
                fmt::format("there is no gear {}: the slowest is {}", gear, gears_.size() - 1));
  if (gear == gear_)
    return;
  supervisor_.slow_down(gears_.scale(gear));
  const Seconds now = clock_.now();
  const Seconds cpu_time = supervisor_.cpu_time();
  use_[gear_].time += now - since_;
  use_[gear_].cpu_time += cpu_time - cpu_time_since_;
  since_ = now;
  cpu_time_since_ = cpu_time;
  gear_ = gear;
}

} // namespace hypermile::backend::process
