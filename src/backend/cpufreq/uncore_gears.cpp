#include "backend/cpufreq/uncore_gears.hpp"

#include "units/error.hpp"
#include "units/parse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace hypermile::cpufreq {
namespace {

constexpr const char* option_name = "uncore";

std::vector<Hertz> parse_uncore(const std::string& text) {
  std::vector<Hertz> limits;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(',', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    const Hertz limit = hypermile::parse_hertz(part);
    if (limit < Hertz{1e8} || limit > Hertz{1e11})
      throw Error(ErrorKind::config, fmt::format("'{}' is no uncore frequency", part),
                  "from 0.1GHz to 100GHz");
    if (!limits.empty() && limit > limits.back())
      throw Error(ErrorKind::config,
                  fmt::format("uncore frequency '{}' is above those before", part),
                  "the highest first");
    limits.push_back(limit);
    begin = end + 1;
  }
  return limits;
}

} // namespace

std::string check_uncore(const std::string& text) {
  try {
    (void)parse_uncore(text);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

bool add_uncore(std::vector<control::GearSetting>& gears, const control::Access& access) {
  const auto named = access.options.find(option_name);
  const bool described = std::ranges::any_of(
      access.gears, [](const control::GearSetting& gear) { return gear.uncore.has_value(); });
  if (named == access.options.end()) {
    if (described)
      gears = access.gears;
    return described;
  }
  if (described)
    throw Error(ErrorKind::config,
                fmt::format("the platform lists uncore frequencies; leave out --{}", option_name));
  const auto limits = parse_uncore(named->second);
  if (limits.size() + 1 > gears.size())
    throw Error(ErrorKind::config,
                fmt::format("--{} lists {} frequencies, but there are {} gears after gear 0",
                            option_name, limits.size(), gears.size() - 1),
                "one for each of them, or less");
  for (std::size_t gear = 1; gear < gears.size(); ++gear)
    gears[gear] =
        control::gear_at(*gears[gear].frequency, limits[std::min(gear, limits.size()) - 1]);
  return true;
}

UncoreActuator::UncoreActuator(std::unique_ptr<control::Actuator> cores, UncoreLimits limits,
                               std::vector<Hertz> uncore)
    : cores_(std::move(cores)), limits_(std::move(limits)), uncore_(std::move(uncore)) {}

void UncoreActuator::limit(std::size_t gear) {
  if (gear == 0)
    limits_.set_back();
  else
    limits_.set(uncore_.at(gear));
}

void UncoreActuator::set_gear(std::size_t gear) {
  const std::size_t before = cores_->gear();
  cores_->set_gear(gear);
  try {
    limit(gear);
  } catch (const Error& error) {
    for (const bool cores : {true, false})
      try {
        cores ? cores_->set_gear(before) : limit(before);
      } catch (const Error&) { // what is wrong is told below, and by verify()
      }
    throw Error(ErrorKind::hardware,
                fmt::format("the node does not take gear {}: {}", gear, error.what()));
  }
}

std::string UncoreActuator::verify() const {
  const std::string of_cores = cores_->verify();
  return of_cores.empty() ? limits_.verify() : of_cores;
}

} // namespace hypermile::cpufreq
