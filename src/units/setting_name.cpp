#include "units/setting_name.hpp"

#include <fmt/format.h>

namespace hypermile {
namespace {

std::string in_ghz(Hertz frequency) { return fmt::format("{:.4g} GHz", frequency.value() / 1e9); }

} // namespace

std::string name_of(const StatedSetting& setting) {
  if (setting.power_limit)
    return fmt::format("{:.4g} W", setting.power_limit->value());
  std::string name = setting.frequency ? in_ghz(*setting.frequency) : "";
  if (setting.uncore)
    name += fmt::format("{}uncore {}", name.empty() ? "" : " + ", in_ghz(*setting.uncore));
  return name;
}

} // namespace hypermile
