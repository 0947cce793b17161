#include "runtime/settings.hpp"

#include "io/gears_text.hpp"
#include "io/sensitivities_text.hpp"
#include "units/error.hpp"
#include "units/parse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <system_error>

namespace hypermile::runtime {
namespace {

struct TextSetting {
  const char* variable;
  std::string Settings::*member;
};

constexpr std::array<TextSetting, 20> texts{
    {{"HYPERMILE_METHOD", &Settings::method},
     {"HYPERMILE_TIME_MODEL", &Settings::time_model},
     {"HYPERMILE_OBJECTIVE", &Settings::objective},
     {result_variable, &Settings::result_file},
     {"HYPERMILE_STATUS", &Settings::status_file},
     {"HYPERMILE_COMPUTATION", &Settings::recording_file},
     {"HYPERMILE_RECORD", &Settings::record_to},
     {"HYPERMILE_TIMELINE", &Settings::timeline_file},
     {"HYPERMILE_RUN_FILE", &Settings::run_file},
     {"HYPERMILE_PROGRAM", &Settings::program},
     {"HYPERMILE_GOVERNOR", &Settings::governor},
     {"HYPERMILE_PLATFORM", &Settings::platform},
     {"HYPERMILE_PLATFORMS", &Settings::platform_folder},
     {"HYPERMILE_ASSUME", &Settings::assume},
     {"HYPERMILE_GENERIC_PLATFORM", &Settings::generic_platform},
     {"HYPERMILE_BACKEND", &Settings::backend},
     {"HYPERMILE_METER", &Settings::meter},
     {"HYPERMILE_LEARN", &Settings::learn_folder},
     {"HYPERMILE_PLAN", &Settings::plan_file},
     {"HYPERMILE_REPORT", &Settings::report_folder}}};
constexpr std::array<std::pair<const char*, Apply>, 3> applies{
    {{"brief", Apply::brief}, {"sync", Apply::sync}, {"async", Apply::async}}};
constexpr std::array<std::pair<const char*, WaitGear>, 3> wait_gears{
    {{"off", WaitGear::off}, {"model", WaitGear::model}, {"timer", WaitGear::timer}}};
constexpr const char* dry_run = "HYPERMILE_DRY_RUN";
constexpr const char* every = "HYPERMILE_EVERY";
constexpr const char* adaptive = "HYPERMILE_ADAPTIVE";
constexpr const char* equal_shares = "HYPERMILE_EQUAL_SHARES";
constexpr const char* gentle_wait = "HYPERMILE_GENTLE_WAIT";
constexpr const char* wait_gear = "HYPERMILE_WAIT_GEAR";
constexpr const char* gear_change = "HYPERMILE_GEAR_CHANGE";
constexpr const char* waiting = "HYPERMILE_WAITING";
constexpr const char* full_sensitivity = "HYPERMILE_FULL_SENSITIVITY";
constexpr const char* computes = "HYPERMILE_COMPUTES";
constexpr const char* apply = "HYPERMILE_APPLY";
constexpr const char* reference_speed = "HYPERMILE_REFERENCE_SPEED";
constexpr const char* gears = "HYPERMILE_GEARS";
constexpr const char* max_slowdown = "HYPERMILE_MAX_SLOWDOWN";
constexpr const char* power_cap = "HYPERMILE_POWER_CAP";
constexpr const char* confidence = "HYPERMILE_CONFIDENCE";
constexpr const char* think = "HYPERMILE_THINK";
constexpr const char* sensitivity = "HYPERMILE_SENSITIVITY";
// Of rank 0 alone, where no command waits for its report: runtime/pmpi/real/telling.cpp.
constexpr const char* jobs = "HYPERMILE_JOBS";
constexpr const char* show = "HYPERMILE_SHOW";
constexpr const char* step_report = "HYPERMILE_STEP_REPORT";

/// The value of a variable, if it is set; where `parse` refuses it, the error names it.
template <class Parse>
auto read(const Environment& environment, const char* variable, const Parse& parse)
    -> std::optional<decltype(parse(std::string{}))> {
  const auto value = environment(variable);
  if (!value)
    return std::nullopt;
  try {
    return parse(*value);
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("{}: {}", variable, error.what()));
  }
}

/// As parse_bound() reads it; to the last bit below 100 %, where that takes plain numbers.
std::string bound_text(const std::optional<double>& bound) {
  if (!bound)
    return "none";
  return *bound < 1 ? fmt::format("{}", *bound) : fmt::format("{}%", 100 * *bound);
}

} // namespace

double parse_confidence(const std::string& text) {
  const double probability = parse_ratio(text);
  if (!(probability >= 0.5 && probability < 1))
    throw Error(ErrorKind::config, fmt::format("'{}' is not from 50% to less than 100%", text),
                "95%");
  return probability;
}

std::optional<double> parse_bound(const std::string& text) {
  return text == "none" ? std::nullopt : std::optional(parse_slowdown(text));
}

bool parse_switch(const std::string& text) {
  for (const char* const on : {"on", "yes", "true", "1"})
    if (text == on)
      return true;
  for (const char* const off : {"off", "no", "false", "0"})
    if (text == off)
      return false;
  throw Error(ErrorKind::config, fmt::format("'{}' is neither on nor off", text), "on");
}

Apply parse_apply(const std::string& text) {
  for (const auto& [name, how] : applies)
    if (text == name)
      return how;
  throw Error(ErrorKind::config, fmt::format("'{}' is neither brief, sync nor async", text),
              "async");
}

WaitGear parse_wait_gear(const std::string& text) {
  for (const auto& [name, when] : wait_gears)
    if (text == name)
      return when;
  throw Error(ErrorKind::config, fmt::format("'{}' is neither model, timer nor off", text),
              "model");
}

bool parse_waiting(const std::string& text) {
  if (text == "spinning" || text == "idle")
    return text == "spinning";
  throw Error(ErrorKind::config, fmt::format("'{}' is neither idle nor spinning", text),
              "spinning");
}

std::size_t parse_every(const std::string& text) {
  std::size_t iterations = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, iterations);
  if (error != std::errc{} || rest != end || iterations == 0)
    throw Error(ErrorKind::config, fmt::format("'{}' is not a number of iterations", text), "100");
  return iterations;
}

std::optional<std::string> own_environment(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

bool is_setting(const std::string& variable) {
  constexpr std::array others{
      dry_run,     every,        adaptive,         equal_shares, apply, reference_speed,
      gears,       max_slowdown, power_cap,        confidence,   think, computes,
      gentle_wait, sensitivity,  full_sensitivity, jobs,         show,  step_report,
      wait_gear,   waiting,      gear_change};
  return std::ranges::find(others, variable) != others.end() ||
         std::ranges::find(texts, variable, &TextSetting::variable) != texts.end();
}

Settings read_settings(const Environment& environment) {
  Settings settings;
  for (const auto& [variable, member] : texts)
    if (const auto value = environment(variable); value && !value->empty())
      settings.*member = *value;
  settings.reference_speed = read(environment, reference_speed, parse_speed);
  settings.max_slowdown = read(environment, max_slowdown, parse_bound).value_or(std::nullopt);
  settings.power_caps =
      read(environment, power_cap, io::parse_power_caps).value_or(io::PowerCaps{});
  const auto parse_sensitivities = [](const std::string& text) {
    return io::parse_sensitivities(text, sensitivity);
  };
  settings.sensitivities =
      read(environment, sensitivity, parse_sensitivities).value_or(model::CallSensitivities{});
  settings.confidence = read(environment, confidence, parse_confidence);
  settings.think = read(environment, think, parse_seconds);
  settings.dry_run = read(environment, dry_run, parse_switch).value_or(false);
  settings.every = read(environment, every, parse_every);
  settings.adaptive = read(environment, adaptive, parse_switch).value_or(false);
  if (settings.every && settings.adaptive)
    throw Error(ErrorKind::config, fmt::format("both {} and {} are set", every, adaptive),
                "one of them");
  settings.equal_shares = read(environment, equal_shares, parse_switch).value_or(false);
  settings.gentle_wait = read(environment, gentle_wait, parse_switch).value_or(false);
  settings.gear_change = read(environment, gear_change, parse_seconds);
  settings.wait_gear = read(environment, wait_gear, parse_wait_gear).value_or(WaitGear::off);
  settings.waits_spinning = read(environment, waiting, parse_waiting).value_or(false);
  settings.full_sensitivity = read(environment, full_sensitivity, parse_switch).value_or(false);
  settings.computes_itself = read(environment, computes, parse_switch).value_or(false);
  settings.apply = read(environment, apply, parse_apply).value_or(Apply::brief);
  if (auto chosen = read(environment, gears, io::parse_gears)) {
    settings.gears = std::move(*chosen);
    settings.method = "fixed";
  }
  return settings;
}

std::vector<std::pair<std::string, std::string>> to_environment(const Settings& settings) {
  std::vector<std::pair<std::string, std::string>> variables;
  for (const auto& [variable, member] : texts)
    if (!(settings.*member).empty())
      variables.emplace_back(variable, settings.*member);
  variables.insert(variables.end(), settings.backend_options.begin(),
                   settings.backend_options.end());
  if (settings.reference_speed)
    variables.emplace_back(reference_speed, fmt::format("{}f", settings.reference_speed->value()));
  variables.emplace_back(max_slowdown, bound_text(settings.max_slowdown));
  if (!settings.power_caps.none())
    variables.emplace_back(power_cap, io::print_power_caps(settings.power_caps));
  if (!settings.sensitivities.none())
    variables.emplace_back(sensitivity, io::print_sensitivities(settings.sensitivities));
  if (settings.confidence)
    variables.emplace_back(confidence, fmt::format("{}", *settings.confidence));
  if (settings.think)
    variables.emplace_back(think, fmt::format("{}s", settings.think->value()));
  if (settings.dry_run)
    variables.emplace_back(dry_run, "on");
  if (settings.every)
    variables.emplace_back(every, fmt::format("{}", *settings.every));
  if (settings.adaptive)
    variables.emplace_back(adaptive, "on");
  if (settings.equal_shares)
    variables.emplace_back(equal_shares, "on");
  if (settings.full_sensitivity)
    variables.emplace_back(full_sensitivity, "on");
  if (settings.gentle_wait)
    variables.emplace_back(gentle_wait, "on");
  if (settings.gear_change)
    variables.emplace_back(gear_change, fmt::format("{}s", settings.gear_change->value()));
  for (const auto& [name, when] : wait_gears)
    if (settings.wait_gear == when && when != WaitGear::off)
      variables.emplace_back(wait_gear, name);
  if (settings.waits_spinning)
    variables.emplace_back(waiting, "spinning");
  if (settings.computes_itself)
    variables.emplace_back(computes, "on");
  for (const auto& [name, is] : applies)
    if (settings.apply == is && is != Apply::brief)
      variables.emplace_back(apply, name);
  if (!settings.gears.empty())
    variables.emplace_back(gears, io::print_gears(settings.gears));
  return variables;
}

} // namespace hypermile::runtime
