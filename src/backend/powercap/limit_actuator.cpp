#include "backend/powercap/limit_actuator.hpp"

#include "control/small_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <utility>

namespace hypermile::backend::powercap {
namespace {

using control::FileError;

/// A processor rounds a limit, to an eighth of a watt mostly.
bool same(Watts a, Watts b) { return std::abs((a - b).value()) <= std::max(0.5, 0.01 * b.value()); }

std::string in_watts(Watts power) { return fmt::format("{:.4g} W", power.value()); }

/// Linux has few errors for all that a processor may have against a limit.
std::string explain(const FileError& error) {
  const bool refused = error.number() == ENODATA || error.number() == ENOSYS;
  return std::string(error.what()) +
         (refused ? ", which stands for any failure of the driver; mostly the firmware has locked "
                    "the limit (dmesg then says 'locked by BIOS')"
                  : "");
}

[[noreturn]] void fail(const PowerLimit& processor, const std::string& why) {
  throw Error(ErrorKind::hardware, fmt::format("{}: {}", processor.name, why));
}

} // namespace

PowerLimitActuator::PowerLimitActuator(std::vector<PowerLimit> processors,
                                       std::vector<Watts> limits, control::Lease& lease)
    : processors_(std::move(processors)), limits_(std::move(limits)), lease_(lease) {}

Watts PowerLimitActuator::target(const PowerLimit& processor, std::size_t gear) const {
  if (gear == 0)
    return processor.present;
  const auto allowed = allowed_now(processor);
  return allowed ? std::min(limits_[gear], *allowed) : limits_[gear];
}

bool PowerLimitActuator::holds(const PowerLimit& processor, std::size_t gear) const {
  return gear > 0 || processor.enabled;
}

void PowerLimitActuator::write_limit(const PowerLimit& processor, Watts limit) {
  const Watts before = read_watts(processor, processor.file);
  lease_.write(processor.folder + "/" + processor.file, in_microwatts(limit));
  const Watts after = read_watts(processor, processor.file);
  if (same(after, limit))
    return;
  if (same(after, before))
    fail(processor,
         fmt::format("the power limit stays at {} instead of {}: the processor did not take it, "
                     "though Linux said that it did",
                     in_watts(after), in_watts(limit)));
  fail(processor, fmt::format("the processor made a power limit of {} out of {}", in_watts(after),
                              in_watts(limit)));
}

void PowerLimitActuator::write_enabled(const PowerLimit& processor, bool enabled) {
  if (read_enabled(processor) == enabled)
    return;
  lease_.write(processor.folder + "/enabled", enabled ? "1" : "0");
  if (read_enabled(processor) != enabled)
    fail(processor, fmt::format("the power limit cannot be switched {}, though Linux said that it "
                                "was",
                                enabled ? "on" : "off"));
}

/// A limit that does not hold is lowered before it does, and raised after it does no longer.
void PowerLimitActuator::apply(const PowerLimit& processor, std::size_t gear) {
  try {
    if (!holds(processor, gear))
      write_enabled(processor, false);
    write_limit(processor, target(processor, gear));
    if (holds(processor, gear))
      write_enabled(processor, true);
  } catch (const FileError& error) {
    fail(processor, explain(error));
  }
}

/// All of them, as far as that is possible.
void PowerLimitActuator::go_back() {
  for (const PowerLimit& processor : processors_)
    try {
      apply(processor, gear_);
    } catch (const Error& error) {
      stuck_ = fmt::format("the node could not go back to gear {}: {}", gear_, error.what());
    }
}

void PowerLimitActuator::set_gear(std::size_t gear) {
  if (gear >= limits_.size())
    throw Error(ErrorKind::hardware, fmt::format("this node has no gear {}", gear));
  if (gear == 0 && !touched_)
    return;
  touched_ = true;
  stuck_.clear();
  try {
    for (const PowerLimit& processor : processors_)
      apply(processor, gear);
    gear_ = gear;
  } catch (const Error& error) {
    go_back();
    throw Error(ErrorKind::hardware, fmt::format("the node does not take gear {} ({}): {}", gear,
                                                 in_watts(limits_[gear]), error.what()));
  }
}

std::string PowerLimitActuator::verify() const {
  if (!touched_ || !stuck_.empty())
    return stuck_;
  for (const PowerLimit& processor : processors_)
    try {
      const Watts wanted = target(processor, gear_);
      const Watts present = read_watts(processor, processor.file);
      if (!same(present, wanted))
        return fmt::format("the power limit of {} was changed to {} by someone else, from {}",
                           processor.name, in_watts(present), in_watts(wanted));
      if (holds(processor, gear_) && !read_enabled(processor))
        return fmt::format("the power limit of {} was switched off by someone else",
                           processor.name);
    } catch (const Error& error) {
      return error.what();
    }
  return "";
}

Seconds PowerLimitActuator::settling() const {
  Seconds longest{};
  for (const PowerLimit& processor : processors_)
    longest = std::max(longest, processor.window);
  return longest;
}

} // namespace hypermile::backend::powercap
