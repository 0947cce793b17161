#pragma once

#include "backend/powercap/limits.hpp"
#include "control/lease.hpp"
#include "control/ports.hpp"

#include <string>
#include <vector>

namespace hypermile::backend::powercap {

/// Sets the power limits of all processors of a node to that of a gear. A processor never gets a
/// higher limit than it had before, and one whose limit did not hold gets one that does.
///
/// Gear 0 is what was allowed before. Nothing is written until set_gear() is called with another.
///
/// All processors take a gear, or all go back: the node is as fast as the slowest of them.
class PowerLimitActuator final : public control::Actuator {
public:
  /// `limits`: by gear, the highest first; that of gear 0 is what each processor has now, whatever
  /// the list says. `lease` must outlive this.
  PowerLimitActuator(std::vector<PowerLimit> processors, std::vector<Watts> limits,
                     control::Lease& lease);

  [[nodiscard]] std::size_t gear() const override { return gear_; }
  /// Reads back what was written: Linux says that it set a limit also where the processor took
  /// another one. Throws Error{hardware} if the node is not in this gear afterwards, or has no such
  /// gear.
  void set_gear(std::size_t gear) override;
  /// Reads back the limits, and whether they hold.
  [[nodiscard]] std::string verify() const override;
  /// The time over which the limits are averages: until then a processor may draw more.
  [[nodiscard]] Seconds settling() const override;

private:
  [[nodiscard]] Watts target(const PowerLimit& processor, std::size_t gear) const;
  [[nodiscard]] bool holds(const PowerLimit& processor, std::size_t gear) const;
  void apply(const PowerLimit& processor, std::size_t gear);
  void write_limit(const PowerLimit& processor, Watts limit);
  void write_enabled(const PowerLimit& processor, bool enabled);
  void go_back();

  std::vector<PowerLimit> processors_;
  std::vector<Watts> limits_;
  control::Lease& lease_;
  std::size_t gear_ = 0;
  bool touched_ = false;
  std::string stuck_; ///< why it could not go back to its gear; empty: it is in it
};

} // namespace hypermile::backend::powercap
