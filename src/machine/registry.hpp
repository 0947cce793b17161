#pragma once

#include "backend/wattmeter/power_log.hpp"
#include "control/backend.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// What can set gears and measure energy, and this machine opened by it. `run`, `steer`,
/// `calibrate-power` and `doctor` know of backends and meters by this folder alone.
namespace hypermile::machine {

/// What sets gears. To add one: a folder in src/backend with `probe` and `open`, and a row.
struct Backend {
  std::string_view name{};
  std::string_view help{}; ///< one line of --help
  bool automatic = false;  ///< "auto" may take it
  bool emulates = false;   ///< sets nothing real: who opens it makes the program slower
  /// How fast a node is in its gears is for a platform to say, which was measured.
  bool needs_speeds = false;
  std::span<const control::BackendOption> options{};
  control::Finding (*probe)(const control::Access& access) = nullptr;
  control::OpenGears (*open)(const control::Access& access) = nullptr;
};

/// What measures energy: while a program runs (`open`), or in a log that is read afterwards
/// (`parse`).
struct Meter {
  std::string_view name{};
  std::string_view argument{}; ///< what follows "name:"; empty: nothing does
  std::string_view help{};
  bool automatic = false;
  control::Finding (*probe)(const control::Access& access) = nullptr;
  control::OpenMeter (*open)(const control::Access& access) = nullptr;
  backend::wattmeter::PowerLog (*parse)(std::string_view text, const std::string& file) = nullptr;
};

/// In the order in which "auto" tries them.
std::span<const Backend> backends();
std::span<const Meter> meters();

/// None: there is none of this name; "auto" and "none" are no rows.
const Backend* find_backend(std::string_view name);
/// `spec`: a name, or "name:argument".
const Meter* find_meter(std::string_view spec);

// What is wrong with the name that a user gives; empty: nothing.
std::string check_backend(const std::string& name);
std::string check_meter(const std::string& spec);
/// As check_meter(), of a meter that is read while a program runs.
std::string check_live_meter(const std::string& spec);

/// The rows for --help, "auto" and "none" included.
std::string backends_help();
std::string meters_help();

/// The file of a meter that is read afterwards; none: `spec` is another meter.
std::optional<std::string> log_file(const std::string& spec);
/// Throws Error{config} for a log that cannot be read.
backend::wattmeter::PowerLog read_log(const std::string& spec);

/// "set-command" -> "HYPERMILE_SET_COMMAND".
std::string variable_of(std::string_view option);
/// Whether a backend has an option of which this is the variable.
bool is_variable(std::string_view name);

using Options = decltype(control::Access::options);
using Environment = std::function<std::optional<std::string>(const std::string& name)>;
/// What is wrong with the options of the backends, with the variable's name; empty: nothing.
std::string check_options(const Options& options);
/// What the environment says of the backends' options.
Options options_in(const Environment& environment);

} // namespace hypermile::machine
