#include "calibrate/node_gears.hpp"

#include "backend/cpufreq/policy_files.hpp"
#include "doctor/files.hpp"
#include "units/error.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace hypermile::calibrate {
namespace {

std::optional<Hertz> frequency_in_cpuinfo(const std::string& root) {
  const auto cpuinfo = doctor::read_if_there(root + "/proc/cpuinfo");
  const auto text = cpuinfo ? doctor::value_of(*cpuinfo, "cpu MHz") : std::nullopt;
  double mhz = 0;
  if (!text || std::from_chars(text->data(), text->data() + text->size(), mhz).ec != std::errc{} ||
      !(mhz > 0))
    return std::nullopt;
  return Hertz{mhz * 1e6};
}

/// Of the fastest policy; none where no policy tells.
std::optional<Hertz> present_frequency(const cpufreq::Machine& machine) {
  std::optional<Hertz> fastest;
  for (const cpufreq::Policy& policy : machine.policies)
    try {
      const Hertz present = cpufreq::read_frequency(policy, "scaling_cur_freq");
      fastest = std::max(present, fastest.value_or(present));
    } catch (const Error&) { // offline, or not told
    }
  return fastest;
}

} // namespace

NodeGears::NodeGears(const control::Place& place, const std::string& guard,
                     const std::string& root) {
  machine_ = cpufreq::inspect(place.sysfs, {});
  if (machine_.policies.empty())
    why_not_ = machine_.obstacle;
  else if (guard.empty())
    why_not_ = "hypermile-guard, which restores gears, is not installed";
  else
    take(place, guard);
  table_ = machine_.gears;
  if (table_)
    return;
  const auto frequency = frequency_in_cpuinfo(root);
  frequencies_known_ = frequency.has_value();
  table_ = model::GearTable({frequency.value_or(Hertz{1e9})});
}

NodeGears::~NodeGears() { restore(); }

void NodeGears::take(const control::Place& place, const std::string& guard) {
  try {
    lease_.emplace(control::Lease::acquire(place, guard,
                                           control::this_process("", "hypermile calibrate-power")));
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::unsupported) // somebody has it
      throw;
    why_not_ = error.what();
    return;
  }
  // Not before: the lease restores what a killed run left.
  machine_ = cpufreq::inspect(place.sysfs, {});
  why_not_ = machine_.obstacle;
  if (why_not_.empty())
    actuator_ = std::make_unique<cpufreq::FrequencyActuator>(machine_, *lease_);
  else
    lease_.reset();
}

model::Gear NodeGears::present() const {
  const auto frequency = present_frequency(machine_);
  if (!frequency)
    return 0;
  model::Gear nearest = 0;
  const auto distance = [&](model::Gear gear) {
    return std::abs((table_->frequency(gear) - *frequency).value());
  };
  for (model::Gear gear = 1; gear < table_->size(); ++gear)
    if (distance(gear) < distance(nearest))
      nearest = gear;
  return nearest;
}

std::vector<std::string> NodeGears::restore() noexcept {
  return lease_ ? lease_->release() : std::vector<std::string>{};
}

} // namespace hypermile::calibrate
