#pragma once

#include "backend/cpufreq/inspection.hpp"
#include "control/lease.hpp"
#include "control/ports.hpp"

#include <string>
#include <vector>

namespace hypermile::cpufreq {

/// Sets all policies of a machine to the frequency of one gear: by the governor "userspace" where
/// there is one, else by scaling_max_freq; scaling_min_freq is lowered where it is above. A policy
/// that does not have that frequency takes its next lower one.
///
/// Gear 0 is the fastest that was allowed before. Nothing is written until set_gear() is called
/// with another.
///
/// The node is as fast as its slowest policy, so that is its gear. Where half of the policies or
/// more take a gear, the node has it, and verify() names the others; else all go back. Policies
/// whose CPUs are all offline do not count.
class FrequencyActuator : public control::Actuator {
public:
  /// `found`: without an obstacle. `lease` must outlive this.
  /// Throws Error{unsupported} with the obstacle if there is one.
  FrequencyActuator(Inspection found, control::Lease& lease);

  [[nodiscard]] std::size_t gear() const override;
  /// Throws Error{hardware} if the node is not in this gear afterwards, or has no such gear.
  void set_gear(std::size_t gear) override;
  /// Reads back governor, limits and frequency of all policies. Processors take some milliseconds
  /// to change their frequency.
  [[nodiscard]] std::string verify() const override;

private:
  struct Setting {
    model::Gear gear = 0;
    Hertz lowest{};         ///< scaling_min_freq, as we wrote it
    bool userspace = false; ///< we made it the governor
    bool online = true;
    std::string problem; ///< why it did not take the last gear; empty: it did
  };
  [[nodiscard]] Hertz frequency(const Policy& policy, model::Gear gear) const;
  [[nodiscard]] std::string problem_of(std::size_t policy) const;
  [[nodiscard]] std::size_t online() const;
  std::vector<std::size_t> set_all(model::Gear gear);
  void set(std::size_t policy, model::Gear gear);
  void apply(const Policy& policy, Setting& setting, model::Gear gear);
  void write_frequency(const Policy& policy, Setting& setting, Hertz target);
  void write(const Policy& policy, const char* file, const std::string& value);

  Inspection inspection_;
  control::Lease& lease_;
  std::vector<Setting> settings_; ///< one per policy
  bool touched_ = false;
};

} // namespace hypermile::cpufreq
