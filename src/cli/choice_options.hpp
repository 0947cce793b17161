#pragma once

#include "io/power_cap.hpp"
#include "runtime/settings.hpp"
#include "units/quantity.hpp"

#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace hypermile::cli {

/// What gears are chosen for, and by what: where the options of a command put it.
struct Choice {
  std::string& objective;
  std::optional<double>& max_slowdown;
  std::string& time_model;
  std::optional<double>& confidence;
  std::optional<Seconds>& think;
  io::PowerCaps& power_caps;
  bool& equal_shares;
  bool& full_sensitivity;
  runtime::Apply& apply;
};

/// Of simulate::Experiment or runtime::Settings.
template <class Settings> Choice choice_of(Settings& settings) {
  return {
      settings.objective, settings.max_slowdown, settings.time_model,   settings.confidence,
      settings.think,     settings.power_caps,   settings.equal_shares, settings.full_sensitivity,
      settings.apply};
}

/// --objective, --max-slowdown, --power-cap, --confidence, --equal-shares, --full-sensitivity,
/// --time-model, --apply, --think.
/// `bound`: what stands for --max-slowdown where it is not given. What is referred to must outlive
/// the command.
void add_choice_options(CLI::App& command, Choice choice, const std::string& bound);

/// What is wrong with the name of a method that chooses for nodes that wait for each other; empty
/// if nothing is.
std::string check_method(const std::string& name);
/// The same of a method that is to keep caps on power.
std::string check_caps(const std::string& method);
/// What is wrong with the name of an objective, and of a time model.
std::string check_objective(const std::string& name);
std::string check_time_model(const std::string& name);
/// What does not go together of a method and what else is asked for; empty: nothing.
std::string check_choice(const std::string& method, const Choice& choice);

} // namespace hypermile::cli
