#pragma once

#include "simulate/fixed_gears.hpp"
#include "simulate/platform_xml.hpp"

#include "application/application_model.hpp"
#include "io/components.hpp"
#include "io/power_cap.hpp"
#include "model/call_sensitivities.hpp"
#include "model/dependency/protocol.hpp"
#include "model/layout.hpp"
#include "runtime/exchange/run_report.hpp"
#include "runtime/settings.hpp"
#include "units/quantity.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hypermile::simulate {

/// Where an installation or build tree keeps what a simulation needs.
struct Installation {
  std::string smpimain;   ///< SimGrid's launcher
  std::string interposer; ///< libhypermile-smpi.so
  std::string list_hosts; ///< our program that names the hosts of a platform in XML
  std::string replay;     ///< our program that repeats a recorded run
  std::string platform_folder;
  std::string model_folder;
};

/// The method that chooses on the whole timeline of the unscaled run, and sets gears at MPI_Init.
inline constexpr const char* planned_method = "planned";

/// What to simulate.
struct Experiment {
  std::string platform; ///< name of a bundled platform, or a file (.yaml or .xml)
  /// Components of the platform that are replaced by others; a platform in XML has none.
  std::vector<io::Swap> swaps{};
  std::optional<std::size_t> ranks; ///< none: one per core; a scalable platform needs it
  std::vector<std::string> program; ///< with its arguments
  /// A recorded run, which is repeated in place of a program. Platform and ranks are its own where
  /// there are none.
  std::string replayed;
  std::string model; ///< a model in Lua in place of a program: a file, or one that comes along
  std::map<std::string, double> parameters; ///< of the model
  bool all_steps = false; ///< of the model's loops that could be extrapolated, too
  std::optional<application::FewerSteps> fewer_steps{}; ///< in these loops of the model
  bool uncontended = false; ///< the model without SimGrid: see run_uncontended()
  model::Layout layout{};   ///< ranks share cores in models without SimGrid only
  std::string record_to;    ///< where to keep the unscaled run as such; empty: nowhere
  /// Beside the unscaled run; `planned_method` is one, and so are the governors.
  std::vector<std::string> methods;
  std::vector<FixedGears> gears; ///< a run each, after those of the methods
  std::string objective = "maxdist";
  std::optional<double> max_slowdown; ///< of the runs by `exact`; none: no bound
  /// How much computation reacts to gears, in place of what the platform says.
  model::CallSensitivities sensitivities{};
  io::PowerCaps power_caps{};                   ///< of the runs by `exact` and `planned`
  bool equal_shares = false;                    ///< of the ranks' work: as Settings::equal_shares
  bool full_sensitivity = false;                ///< as Settings'
  std::string time_model = "auto";              ///< of their choices
  runtime::Apply apply = runtime::Apply::brief; ///< how long ranks wait for these
  std::optional<double> confidence;             ///< of that bound; none: the runtime's default
  std::optional<Seconds> think;                 ///< for one choice; none: the runtime's default
  Waiting waiting = Waiting::idle;
  std::optional<Seconds> gear_change{};     ///< what governors want takes so long; none: no time
  std::vector<std::string> simgrid_options; ///< KEY:VALUE of SimGrid's configuration
  std::optional<Speed> reference_speed;     ///< none: measured
  std::string computation_file; ///< recorded computation; empty: measured in the unscaled run
  std::string report_folder;    ///< empty: nothing is kept
  std::size_t jobs = 1;         ///< simulations at a time
};

/// Time and energy that the choices made online let expect of the whole run.
struct Expectation {
  Seconds time;
  Joules energy;
};

/// Gears that a program has from its begin to its end, chosen on the whole of its unscaled run.
struct WholeRunPlan {
  std::vector<model::Gear> gears; ///< one per node
  Expectation expected;           ///< of the run in these gears
  model::Baseline baseline;       ///< of the unscaled run, by the same model
  runtime::TimeModelKind time_model = runtime::TimeModelKind::dependency;
  /// Recorded runs that were repeated to choose among their gears; `expected` is then what one
  /// took.
  std::size_t repetitions = 0;
  /// Why the dependency model planned without them where it was asked to plan; else empty.
  std::string not_repeated{};
};

/// What was simulated of a model whose loops were not run to their end.
struct SimulatedPart {
  Seconds time;
  Joules energy;
  /// By how much the last steps took more than those before them, in time or energy, whichever
  /// differs more, as a part of them: 0 where all steps take the same.
  double unsettled = 0;
  /// A rank that computed for longer in the last steps than the whole run took for them, and so
  /// has yet to become the slowest; none: there is none.
  std::optional<std::size_t> lagging_rank{};
};

/// One run of the program.
struct SimulatedRun {
  /// "none": unscaled; "planned"; a governor; "gears:0,3,5": gears that were given, one per node.
  std::string method;
  Seconds time;  ///< from MPI_Init to the last MPI_Finalize
  Joules energy; ///< of all nodes with ranks, by SimGrid's energy plugin
  runtime::RunReport report;
  std::optional<Expectation> expected; ///< by the cluster model, where gears were chosen
  std::optional<Expectation> forecast; ///< by the dependency model, where gears were changed
  int exit_code = 0;
  std::string output; ///< what the program printed
  /// Where this was extrapolated: time, energy and what is expected of them are then of the whole
  /// run, and the report is of this part.
  std::optional<SimulatedPart> part{};
};

/// Names of the models that come along.
[[nodiscard]] std::vector<std::string> bundled_models(const std::string& folder);

/// What a run is called where somebody reads it: "unscaled", or its method.
std::string shown(const std::string& method);

/// saving, slowdown and distance against the unscaled run, as fractions.
struct Comparison {
  double saving;
  double slowdown;
  double distance; ///< T_old / T_new - E_new / E_old: [F16] Eq. 3.5
};
Comparison compare(const SimulatedRun& run, const SimulatedRun& unscaled);

/// What the decisions of a run let expect, given the unscaled run: up to the moment the gears
/// took effect what was measured, from then on the unscaled rest by the predicted ratios.
std::optional<Expectation> expect(const runtime::RunReport& run, Seconds unscaled_time,
                                  Joules unscaled_energy);
/// The same for a run whose nodes were in these gears all the time: the cluster model of the whole
/// unscaled run. None where they were in gear 0.
std::optional<Expectation> expect_of_fixed_gears(const runtime::RunReport& run,
                                                 const runtime::RunReport& unscaled);

/// A model that was run in place of a program.
struct ModelSummary {
  std::string file;
  std::vector<std::pair<std::string, double>> parameters; ///< as they were used
  std::vector<std::pair<std::string, std::size_t>> roles; ///< with their ranks
  std::vector<application::ExtrapolatedSteps>
      extrapolated{}; ///< as ModelRun's: what is known of the rest
};

struct Simulation {
  std::string platform;
  /// Of all switches of the network together. None: the platform does not say it. No energy of a
  /// run has it in it.
  std::optional<Watts> switch_power{};
  std::string objective;              ///< as asked for
  std::optional<double> max_slowdown; ///< likewise
  io::PowerCaps power_caps{};         ///< likewise
  std::size_t ranks = 0;
  Waiting waiting = Waiting::idle;
  Seconds gear_change{}; ///< as Experiment's
  std::vector<std::string> program;
  std::string replayed; ///< as in Experiment
  std::optional<ModelSummary> model;
  bool uncontended = false; ///< as in Experiment
  /// Of a run without SimGrid in gear 0: how much longer one link would have to carry messages that
  /// it was given at a time.
  Seconds overlap{};
  model::IdleNodes idle_nodes{};
  std::vector<std::string> remarks; ///< what a repetition, or a recording, leaves out; sentences
  std::optional<Speed> reference_speed; ///< none: the computation came from a file
  bool reference_speed_was_measured = false;
  std::vector<SimulatedRun> runs; ///< the unscaled run first
  /// How messages travel, as SimGrid is configured; none: there is no forecast.
  std::optional<model::dependency::Protocol> protocol;
  std::string no_forecast; ///< why there is none
  /// What `planned` sets, or would set. None: it was not asked for, and would have taken long.
  std::optional<WholeRunPlan> planned;
  std::string not_kept; ///< why the report folder is incomplete; empty: nothing is missing
};

/// By how much the objective of a run is worse than that of the plan from the whole unscaled run:
/// as that was simulated, else as it is forecast. In the objective's unit; none: there is no plan,
/// or no forecast of one to compare such a run with.
std::optional<double> behind_plan(const Simulation& simulation, const SimulatedRun& run);

/// Told about what goes on, as a line of text without its end.
struct Listener {
  std::function<void(const std::string&)> step;   ///< something began or ended
  std::function<void(const std::string&)> status; ///< replaces the last status
  /// A model printed a line; none: nobody listens.
  std::function<void(const std::string&)> printed{};
};

/// Runs all. Throws GearsDoNotFit before anything is simulated; Error for other bad input and for a
/// program that fails, saying which rank and how; Interrupted on SIGINT and the like. Whatever
/// happens, nothing is left running or behind except what was asked to be kept in `report_folder`:
/// of a program that fails what it printed, too.
Simulation run(const Experiment& experiment, const Installation& installation,
               const Listener& listener);

} // namespace hypermile::simulate
