#include "backend/process/duty_cycle.hpp"

#include <algorithm>

namespace hypermile::backend::process {

void DutyCycle::start(double scale, Seconds now) {
  *this = {};
  scale_ = scale;
  begin_ = now;
  switch_at_ = now + period / scale;
}

void DutyCycle::switch_phase(Seconds now) {
  constexpr Seconds most = 5 * period; // a machine that slept for an hour is no reason to
  const Seconds took = now - begin_;
  owed_ += pauses_ ? Seconds{} - took : took * (scale_ - 1);
  owed_ = std::clamp(owed_, Seconds{} - most, most);
  pauses_ = !pauses_ && owed_ > Seconds{};
  begin_ = now;
  switch_at_ = now + (pauses_ ? owed_ : period / scale_);
}

} // namespace hypermile::backend::process
