#pragma once

#include "backend/process/supervisor.hpp"
#include "control/ports.hpp"
#include "model/gear.hpp"

#include <vector>

namespace hypermile::backend::process {

/// How long a program was in a gear.
struct GearUse {
  Seconds time;
  Seconds cpu_time; ///< that it used meanwhile, on all CPUs
};

/// Emulates gears on a machine that has none: in a gear with scale S the program runs 1/S of the
/// time. Begins in gear 0.
class DutyCycleActuator final : public control::Actuator {
public:
  /// `supervisor` and `clock` must outlive this.
  DutyCycleActuator(model::GearTable gears, Supervisor& supervisor, const control::Clock& clock);

  [[nodiscard]] std::size_t gear() const override { return gear_; }
  /// Throws Error{hardware} if the program cannot be slowed down, Error{config} for a gear that is
  /// not in the table; the gear is then what it was.
  void set_gear(std::size_t gear) override;

  [[nodiscard]] const model::GearTable& gears() const { return gears_; }
  /// One entry per gear, up to now.
  [[nodiscard]] std::vector<GearUse> use() const;

private:
  model::GearTable gears_;
  Supervisor& supervisor_;
  const control::Clock& clock_;
  std::size_t gear_ = 0;
  std::vector<GearUse> use_; ///< up to the last change of gear
  Seconds since_;
  Seconds cpu_time_since_;
};

} // namespace hypermile::backend::process
