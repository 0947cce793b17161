#pragma once

#include "backend/cpufreq/uncore.hpp"
#include "control/backend.hpp"
#include "control/ports.hpp"

#include <array>
#include <memory>
#include <string>
#include <vector>

/// Gears that carry an uncore frequency beside that of the cores.
namespace hypermile::cpufreq {

/// What is wrong with a list such as "2.0GHz,1.6GHz"; empty: nothing.
std::string check_uncore(const std::string& text);

inline constexpr std::array options{control::BackendOption{
    "uncore", "GHZ,...",
    "limits on the uncore frequency of gears 1, 2, ..., e.g. 2.0GHz,1.6GHz; the last one holds for "
    "all gears after it. Gear 0 keeps what the node has. Default: it is not set",
    check_uncore}};

/// Adds the uncore frequencies to `gears`, fastest first: those that the option names, or those of
/// the platform. Whether there are any. Throws Error{config} for both, or for too many.
bool add_uncore(std::vector<control::GearSetting>& gears, const control::Access& access);

/// Cores first, then the rest of the processors; both, or none.
class UncoreActuator final : public control::Actuator {
public:
  /// `uncore`: by gear. That of gear 0 is what the node has now.
  UncoreActuator(std::unique_ptr<control::Actuator> cores, UncoreLimits limits,
                 std::vector<Hertz> uncore);

  [[nodiscard]] std::size_t gear() const override { return cores_->gear(); }
  void set_gear(std::size_t gear) override;
  [[nodiscard]] std::string verify() const override;
  [[nodiscard]] Seconds settling() const override { return cores_->settling(); }

private:
  void limit(std::size_t gear);

  std::unique_ptr<control::Actuator> cores_;
  UncoreLimits limits_;
  std::vector<Hertz> uncore_;
};

} // namespace hypermile::cpufreq
