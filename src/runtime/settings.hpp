#pragma once

#include "io/power_cap.hpp"
#include "model/call_sensitivities.hpp"
#include "model/gear.hpp"
#include "units/quantity.hpp"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hypermile::runtime {

/// How long ranks wait for a choice of gears once they have told what it rests on.
enum class Apply {
  brief, ///< for a small part of an iteration; rank 0 until the choice is made
  sync,  ///< until the first choice has reached them, for twenty iterations at most; then as brief
  async  ///< not at all: gears are set whenever the messages arrive
};

/// When a node that waits is put into a low gear.
enum class WaitGear {
  off,
  model, ///< at once, where the loop tells that the wait is long, and back in time; else as `timer`
  timer  ///< when it has lasted for 500 us
};

/// What the launcher tells the runtime inside the program, through the environment.
struct Settings {
  std::string method = "exact";      ///< HYPERMILE_METHOD; "none" measures only, "fixed" too
  std::string objective = "maxdist"; ///< HYPERMILE_OBJECTIVE
  std::string time_model = "auto";   ///< HYPERMILE_TIME_MODEL: see time_model_named()
  std::string result_file;           ///< HYPERMILE_RESULT: where rank 0 writes its report
  std::string status_file;           ///< HYPERMILE_STATUS: shared with the launcher while it runs
  std::string recording_file;        ///< HYPERMILE_COMPUTATION: computation to replay
  std::string record_to;             ///< HYPERMILE_RECORD: where to keep the computation
  std::string timeline_file;         ///< HYPERMILE_TIMELINE: where to keep what ranks do and when
  std::string run_file{}; ///< HYPERMILE_RUN_FILE: where to keep all that repeating the run takes
  std::string program{};  ///< HYPERMILE_PROGRAM: what run_file says that it is of
  /// HYPERMILE_COMPUTES: the simulated program tells SMPI itself what it computes.
  bool computes_itself = false;
  /// HYPERMILE_GOVERNOR: a row of govern/governors.cpp, in a simulation; empty: none
  std::string governor{};
  /// HYPERMILE_GEAR_CHANGE, e.g. "50us": what a governor wants a node to be in takes so long, in a
  /// simulation; none: no time
  std::optional<Seconds> gear_change{};
  // On a real MPI:
  std::string platform{}; ///< HYPERMILE_PLATFORM: file of the machines, or bundled name
  /// HYPERMILE_PLATFORMS: folder of the bundled platforms, whose components `platform` may have
  std::string platform_folder{};
  std::string assume{}; ///< HYPERMILE_ASSUME: type of hosts that the platform does not name
  /// HYPERMILE_GENERIC_PLATFORM: what is assumed of hosts of which nothing is known; empty:
  /// nothing.
  std::string generic_platform{};
  std::string backend = "auto"; ///< HYPERMILE_BACKEND: a row of machine/registry.cpp
  std::string meter = "auto";   ///< HYPERMILE_METER: likewise
  /// HYPERMILE_SET_COMMAND, ...: values of the backends' own options, by variable. The launcher
  /// fills them in; read_settings() does not.
  std::vector<std::pair<std::string, std::string>> backend_options{};
  std::string learn_folder{};  ///< HYPERMILE_LEARN: where to keep what the run teaches
  std::string plan_file{};     ///< HYPERMILE_PLAN: gears to begin in, of 'hypermile plan'
  std::string report_folder{}; ///< HYPERMILE_REPORT: where rank 0 leaves the report
  bool dry_run = false;        ///< HYPERMILE_DRY_RUN: choose gears, but set none
  Apply apply = Apply::brief;  ///< HYPERMILE_APPLY
  /// HYPERMILE_EVERY: iterations after which gears are chosen again; none: half as many again as
  /// there have been.
  std::optional<std::size_t> every{};
  bool adaptive = false; ///< HYPERMILE_ADAPTIVE: choose again when iterations change, too
  /// HYPERMILE_EQUAL_SHARES: all ranks have as much to do, so that from MPI_Init on faster nodes
  /// are put into gears in which they are no later than the slowest.
  bool equal_shares = false;
  /// HYPERMILE_FULL_SENSITIVITY: computation is taken to react to gears in full, and nothing is
  /// learnt of it.
  bool full_sensitivity = false;
  /// HYPERMILE_WAIT_GEAR: nodes whose ranks all wait long get a low gear meanwhile.
  WaitGear wait_gear = WaitGear::off;
  /// HYPERMILE_WAITING: ranks that wait draw what computing ones do ("spinning"), and not what the
  /// platform says ("idle"). On a real MPI.
  bool waits_spinning = false;
  /// HYPERMILE_GENTLE_WAIT: long waits in MPI leave the core to others. On a real MPI.
  bool gentle_wait = false;
  /// HYPERMILE_GEARS, e.g. "0,3,5": gears that the nodes have from MPI_Init on, one per node in the
  /// order of the first rank on each. They make the method "fixed".
  std::vector<model::Gear> gears{};
  std::optional<double> max_slowdown; ///< HYPERMILE_MAX_SLOWDOWN, e.g. "5%", or "none": no bound
  /// HYPERMILE_SENSITIVITY, e.g. "0.6" or "0.9,Allreduce 0.3": how much computation reacts to
  /// gears, in a simulation and where gears are emulated.
  model::CallSensitivities sensitivities{};
  io::PowerCaps power_caps{};           ///< HYPERMILE_POWER_CAP, e.g. "2kW,peak:3kW"
  std::optional<double> confidence;     ///< HYPERMILE_CONFIDENCE, e.g. "95%": of max_slowdown
  std::optional<Seconds> think;         ///< HYPERMILE_THINK, e.g. "50ms": for one choice of gears
  std::optional<Speed> reference_speed; ///< HYPERMILE_REFERENCE_SPEED, e.g. "110Gf"
};

/// A probability in [0.5, 1), e.g. "95%". Throws Error{config} for anything else.
double parse_confidence(const std::string& text);

/// A bound on slowdown, at least 0, e.g. "5%"; none for "none". Throws Error{config} for anything
/// else.
std::optional<double> parse_bound(const std::string& text);

/// on, yes, true, 1 or off, no, false, 0. Throws Error{config} for anything else.
bool parse_switch(const std::string& text);

/// brief, sync or async. Throws Error{config} for anything else.
Apply parse_apply(const std::string& text);

/// model, timer or off. Throws Error{config} for anything else.
WaitGear parse_wait_gear(const std::string& text);

/// Whether waiting ranks spin: spinning or idle. Throws Error{config} for anything else.
bool parse_waiting(const std::string& text);

/// A number of iterations, at least 1. Throws Error{config} for anything else.
std::size_t parse_every(const std::string& text);

using Environment = std::function<std::optional<std::string>(const std::string& name)>;

/// A variable of this process; none: it is not set.
std::optional<std::string> own_environment(const std::string& name);

/// Of `Settings::result_file`. Each launcher gives its ranks another one.
inline constexpr const char* result_variable = "HYPERMILE_RESULT";

/// Whether hypermile reads a variable of this name, which begins with HYPERMILE_.
bool is_setting(const std::string& variable);

/// Throws Error{config} for a value that is not understood, and where gears are to be chosen both
/// every so many iterations and when these change.
Settings read_settings(const Environment& environment);

/// The variables that make read_settings() give these settings.
std::vector<std::pair<std::string, std::string>> to_environment(const Settings& settings);

} // namespace hypermile::runtime
