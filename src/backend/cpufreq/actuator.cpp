#include "backend/cpufreq/actuator.hpp"

#include "backend/cpufreq/cpu_list.hpp"
#include "backend/cpufreq/policy_files.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace hypermile::cpufreq {
namespace {

constexpr double tolerance = 0.05; ///< of frequencies that should be the same

std::string in_ghz(Hertz frequency) { return fmt::format("{:.3g} GHz", frequency.value() / 1e9); }

std::string changed_governor(const Policy& policy, const std::string& governor) {
  return fmt::format("the governor of {} was changed to {} by someone else",
                     print_cpus(policy.cpus), governor);
}

/// What is wrong with a policy that should run at `target`; empty: nothing. Throws Error where it
/// cannot be read.
std::string look(const Policy& policy, Hertz target, bool fastest) {
  const std::string governor = read_text(policy, "scaling_governor");
  if (governor != (policy.userspace ? "userspace" : policy.governor))
    return changed_governor(policy, governor);
  const Hertz limit = read_frequency(policy, "scaling_max_freq");
  if (limit < target * (1 - tolerance) || (!policy.userspace && limit > target * (1 + tolerance)))
    return fmt::format("the limit of {} was changed to {} by someone else, from {}",
                       print_cpus(policy.cpus), in_ghz(limit), in_ghz(target));
  const Hertz lowest = read_frequency(policy, "scaling_min_freq");
  if (lowest > target * (1 + tolerance))
    return fmt::format("the lower limit of {} was changed to {} by someone else",
                       print_cpus(policy.cpus), in_ghz(lowest));
  const Hertz present = read_frequency(policy, "scaling_cur_freq");
  if (!fastest && present > target * (1 + tolerance))
    return fmt::format("{} run{} at {} instead of {}", print_cpus(policy.cpus),
                       policy.cpus.size() == 1 ? "s" : "", in_ghz(present), in_ghz(target));
  return "";
}

/// Writing scaling_setspeed succeeds also where the driver fails: only reading it tells. Throws
/// Error. Limits that others have set are for look() to tell.
void check_speed(const Policy& policy, Hertz target) {
  const Hertz present = read_frequency(policy, "scaling_setspeed");
  const auto differs = [&](Hertz from) {
    return from > target * (1 + tolerance) ? 1 : from < target * (1 - tolerance) ? -1 : 0;
  };
  const bool limited =
      (differs(present) < 0 && differs(read_frequency(policy, "scaling_max_freq")) < 0) ||
      (differs(present) > 0 && differs(read_frequency(policy, "scaling_min_freq")) > 0);
  if (differs(present) != 0 && !limited)
    throw Error(ErrorKind::hardware,
                fmt::format("{} stay{} at {} instead of {}: the driver could not set it, though "
                            "Linux said that it did",
                            print_cpus(policy.cpus), policy.cpus.size() == 1 ? "s" : "",
                            in_ghz(present), in_ghz(target)));
}

/// Why a policy that had `governor` could not be written to.
std::string explain(const Policy& policy, const std::string& governor, const Error& error) {
  try {
    const std::string present = read_text(policy, "scaling_governor");
    return present == governor ? error.what() : changed_governor(policy, present);
  } catch (const Error&) {
    return error.what();
  }
}

template <class Action> void try_to(const Action& action) {
  try {
    action();
  } catch (const Error&) { // what was wrong before is told
  }
}

} // namespace

FrequencyActuator::FrequencyActuator(Inspection found, control::Lease& lease)
    : inspection_(std::move(found)), lease_(lease) {
  if (!inspection_.obstacle.empty() || !inspection_.gears)
    throw Error(ErrorKind::unsupported, inspection_.obstacle, inspection_.advice);
  for (const Policy& policy : inspection_.policies)
    settings_.push_back({.lowest = policy.lowest, .online = policy.online, .problem = {}});
}

std::size_t FrequencyActuator::gear() const {
  std::size_t slowest = 0;
  for (const Setting& setting : settings_)
    if (setting.online)
      slowest = std::max(slowest, setting.gear);
  return slowest;
}

Hertz FrequencyActuator::frequency(const Policy& policy, model::Gear gear) const {
  const Hertz wanted = inspection_.gears->frequency(gear);
  const auto found =
      std::ranges::find_if(policy.frequencies, [&](Hertz own) { return own <= wanted; });
  return found != policy.frequencies.end() ? *found : policy.frequencies.back();
}

void FrequencyActuator::write(const Policy& policy, const char* file, const std::string& value) {
  lease_.write(path_of(policy, file), value);
}

void FrequencyActuator::write_frequency(const Policy& policy, Setting& setting, Hertz target) {
  if (!policy.userspace)
    return write(policy, "scaling_max_freq", in_khz(target));
  const bool first = !setting.userspace;
  if (first && policy.governor != "userspace")
    write(policy, "scaling_governor", "userspace");
  setting.userspace = true;
  try {
    write(policy, "scaling_setspeed", in_khz(target));
    check_speed(policy, target);
  } catch (const Error&) {
    if (first) { // else the frequency stays what it happened to be
      setting.userspace = false;
      try_to([&] { write(policy, "scaling_governor", policy.governor); });
    }
    throw;
  }
}

void FrequencyActuator::apply(const Policy& policy, Setting& setting, model::Gear gear) {
  const Hertz target = frequency(policy, gear);
  const Hertz lowest = std::min(policy.lowest, target);
  if (lowest < setting.lowest) // the lower limit goes down before the upper one
    write(policy, "scaling_min_freq", in_khz(lowest));
  setting.lowest = std::min(lowest, setting.lowest);
  write_frequency(policy, setting, target);
  if (lowest > setting.lowest)
    write(policy, "scaling_min_freq", in_khz(lowest));
  setting.lowest = lowest;
}

void FrequencyActuator::set(std::size_t policy, model::Gear gear) {
  const Policy& which = inspection_.policies[policy];
  Setting& setting = settings_[policy];
  setting.online = !which.frequencies.empty() && is_online(which);
  if (!setting.online)
    return;
  try {
    apply(which, setting, gear);
    setting.gear = gear;
    setting.problem.clear();
  } catch (const Error& error) {
    setting.online = is_online(which);
    setting.problem = explain(which, setting.userspace ? "userspace" : which.governor, error);
  }
}

std::size_t FrequencyActuator::online() const {
  return static_cast<std::size_t>(std::ranges::count(settings_, true, &Setting::online));
}

/// Those that took it.
std::vector<std::size_t> FrequencyActuator::set_all(model::Gear gear) {
  std::vector<std::size_t> took;
  for (std::size_t p = 0; p < settings_.size(); ++p) {
    set(p, gear);
    if (settings_[p].online && settings_[p].problem.empty())
      took.push_back(p);
  }
  return took;
}

void FrequencyActuator::set_gear(std::size_t gear) {
  if (gear >= inspection_.gears->size())
    throw Error(ErrorKind::hardware, fmt::format("this node has no gear {}", gear));
  if (gear == 0 && !touched_)
    return;
  touched_ = true;
  const auto before = settings_;
  const auto took = set_all(gear);
  const auto refused = std::ranges::find_if(
      settings_, [](const Setting& s) { return s.online && !s.problem.empty(); });
  const std::string problem = refused != settings_.end() ? refused->problem : "all are offline";
  if (2 * took.size() < online())
    for (const std::size_t p : took)
      set(p, before[p].gear);
  if (this->gear() != gear)
    throw Error(ErrorKind::hardware,
                fmt::format("the node does not take gear {} ({}); {} of {} frequency domains did: "
                            "{}",
                            gear, in_ghz(inspection_.gears->frequency(gear)), took.size(),
                            settings_.size(), problem));
}

std::string FrequencyActuator::problem_of(std::size_t policy) const {
  const Policy& which = inspection_.policies[policy];
  const Setting& setting = settings_[policy];
  if (!setting.problem.empty() || !setting.online)
    return setting.online ? setting.problem : "";
  try {
    return look(which, frequency(which, setting.gear), setting.gear == 0);
  } catch (const Error& error) {
    return is_online(which) ? error.what() : "";
  }
}

std::string FrequencyActuator::verify() const {
  std::string first;
  std::size_t more = 0;
  for (std::size_t p = 0; touched_ && p < settings_.size(); ++p) {
    std::string problem = problem_of(p);
    if (first.empty())
      first = std::move(problem);
    else if (!problem.empty())
      ++more;
  }
  return more == 0 ? first
                   : fmt::format("{}; {} more frequency domain{} like it", first, more,
                                 more == 1 ? " is" : "s are");
}

} // namespace hypermile::cpufreq
