#include "backend/simgrid/alarm.hpp"

#include <simgrid/kernel/Timer.hpp>

namespace hypermile::backend::simgrid {

using ::simgrid::kernel::timer::Timer;

void Alarm::set(Seconds time) {
  cancel();
  timer_ = Timer::set(time.value(), [this] {
    timer_ = nullptr; // SimGrid deletes it
    ring_();
  });
}

void Alarm::cancel() {
  if (timer_ != nullptr)
    timer_->remove();
  timer_ = nullptr;
}

} // namespace hypermile::backend::simgrid
