#pragma once

#include "model/dependency/protocol.hpp"
#include "runtime/decide/decision_budget.hpp"
#include "runtime/decide/slowdown_budget.hpp"
#include "runtime/exchange/messages.hpp"
#include "runtime/loop/repetition.hpp"
#include "select/selector.hpp"

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hypermile::runtime {

/// By its name on the command line; none for another.
[[nodiscard]] std::optional<TimeModelKind> time_model_named(const std::string& name);
[[nodiscard]] std::string name_of(TimeModelKind kind);
/// Which problem the means of all ranks make of it: what methods have to be for.
[[nodiscard]] model::ModelKind problem_of(TimeModelKind kind);
/// Whether nodes or clusters go on without waiting for all others.
[[nodiscard]] constexpr bool is_uncoupled(TimeModelKind kind) {
  return kind == TimeModelKind::hybrid || kind == TimeModelKind::async;
}

/// Whether any gears of the run were chosen so. How many iterations such a program needs depends on
/// the gears: nothing is known of the whole run.
[[nodiscard]] bool is_uncoupled(const RunReport& run);

struct TimeModel {
  TimeModelKind kind = TimeModelKind::automatic;
  model::dependency::Protocol assumed = {}; ///< of the MPI library, where no message shows it
  std::vector<std::string> functions = {};  ///< names of the timelines' MPI functions
  /// How long one choice may take on one core. It is turned into a number of steps, so that the
  /// same measurements always give the same gears.
  Seconds think{0.05};
  /// How sure a bound on slowdown is to hold although iterations vary: [0.5, 1).
  double confidence = default_confidence;
  static constexpr double default_confidence = 0.95;
  Repetition repetition = {};
  bool learns_sensitivity = true;            ///< else computation reacts to gears in full
  std::vector<LearntPower> known_power = {}; ///< what earlier runs have learnt
  /// Whether the report is to say what other bounds on slowdown would have given.
  bool tells_trade_offs = false;
  /// Tells the time on a machine where the program waits for a choice: then `think` is the most
  /// that it may take, see DecisionBudget. Empty: nobody waits.
  std::function<Seconds()> stopwatch = {};
};

/// Since the begin of the run, by the latest rank.
[[nodiscard]] Seconds elapsed_of(const std::vector<Measurement>& measurements);

/// What hypermile has taken since then, on the rank where it took most: the others wait for that
/// one.
[[nodiscard]] Seconds own_time_of(const std::vector<Measurement>& measurements);

/// Where no gears keep a bound on slowdown together with a cap on power, the cap comes first: the
/// request for the fastest gears that keep it. None where there is no cap.
[[nodiscard]] std::optional<select::Request> fastest_under_caps(const select::Request& request);

/// Such a plan, in place of what was `asked` for; tells in the decision which bounds it breaks.
const select::Plan& tell_given_up(const select::Plan& plan, const select::Request& asked,
                                  Decision& decision);

/// Whether a choice by this request and model rests on events.
[[nodiscard]] bool needs_events(const select::Request& request, const TimeModel& model);

struct DependencyChoice {
  Decision decision;
  double slowdown = 0; ///< of what was recorded, against the same in gear 0, as the model has it
  std::vector<model::Gear> by_node = {}; ///< as select::DependencyPlan's
  /// What the gears that were left do to what was recorded since.
  std::optional<model::Prediction> left = {};
};

/// What clocks say, and the model does not know.
struct Clocked {
  /// Time of an iteration in the gears that it was recorded in, against gear 0.
  std::optional<double> time_ratio = {};
  double error = 0; ///< its standard error
  /// Gears that were chosen from a recording in gear 0 took so many times what was predicted.
  double bias = 1;
};

/// What is known beside the measurements.
struct KnownBefore {
  std::map<std::string, double> excess = {}; ///< by node type, see select::Confidence
  Clocked clocked = {};                      ///< the account of a bound rests on it
  std::vector<model::Gear> by_node = {};     ///< of the last choice for the same loop
  /// Gears, by node, that were chosen for a loop inside this one, of which more iterations are
  /// known: as long as there are few of this one they are as good as what is chosen for it, where
  /// they keep the bound. Empty: none were.
  std::vector<model::Gear> inherited = {};
  std::vector<model::Gear> left = {}; ///< by node: LeftGears; empty: none were
  /// By node, Learnt::gears_of_phase(): they stay where a search has no time to find better ones.
  std::vector<model::Gear> present = {};
};

/// Chooses gears from the events of all ranks. `measurements`: one per rank. None where a rank has
/// no events, or has not all of them, or where they have no moment in common. A bound on slowdown
/// is one on the run so far and as much again: `budget` is told what was spent of it. None also
/// where `decision_budget`, which has begun, leaves no time for the events of 1.5 iterations.
/// Throws Error{model} for a method that knows no dependencies.
[[nodiscard]] std::optional<DependencyChoice>
choose_by_dependencies(const std::vector<Measurement>& measurements, const select::Request& request,
                       const TimeModel& model, SlowdownBudget& budget,
                       DecisionBudget& decision_budget, const KnownBefore& known = {});

/// What each of these bounds on slowdown (none: no bound) would have made of such a choice, of an
/// iteration: none for a bound that no gears keep besides the caps on power; empty where there
/// would have been no choice. `budget`: as it was after the choice. `bias`: as Clocked::bias. Takes
/// a few milliseconds for each.
[[nodiscard]] std::vector<std::optional<model::Prediction>>
predict_by_dependencies(const std::vector<Measurement>& measurements,
                        const select::Request& request, const TimeModel& model,
                        const SlowdownBudget& budget, const std::map<std::string, double>& excess,
                        double bias, std::span<const std::optional<double>> bounds);

} // namespace hypermile::runtime
