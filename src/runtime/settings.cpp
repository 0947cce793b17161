#include "runtime/settings.hpp"

#include "units/error.hpp"
#include "units/parse.hpp"

#include <fmt/format.h>

#include <array>

namespace hypermile::runtime {
namespace {

struct TextSetting {
  const char* variable;
  std::string Settings::*member;
};

constexpr std::array<TextSetting, 7> texts{{{"HYPERMILE_METHOD", &Settings::method},
                                            {"HYPERMILE_OBJECTIVE", &Settings::objective},
                                            {"HYPERMILE_RESULT", &Settings::result_file},
                                            {"HYPERMILE_STATUS", &Settings::status_file},
                                            {"HYPERMILE_COMPUTATION", &Settings::recording_file},
                                            {"HYPERMILE_RECORD", &Settings::record_to},
                                            {"HYPERMILE_TIMELINE", &Settings::timeline_file}}};
constexpr const char* reference_speed = "HYPERMILE_REFERENCE_SPEED";

} // namespace

Settings read_settings(const Environment& environment) {
  Settings settings;
  for (const auto& [variable, member] : texts)
    if (const auto value = environment(variable))
      settings.*member = *value;
  if (const auto value = environment(reference_speed)) {
    try {
      settings.reference_speed = parse_speed(*value);
    } catch (const Error& error) {
      throw Error(error.kind(), fmt::format("{}: {}", reference_speed, error.what()));
    }
  }
  return settings;
}

std::vector<std::pair<std::string, std::string>> to_environment(const Settings& settings) {
  std::vector<std::pair<std::string, std::string>> variables;
  for (const auto& [variable, member] : texts)
    if (!(settings.*member).empty())
      variables.emplace_back(variable, settings.*member);
  if (settings.reference_speed)
    variables.emplace_back(reference_speed, fmt::format("{}f", settings.reference_speed->value()));
  return variables;
}

} // namespace hypermile::runtime
