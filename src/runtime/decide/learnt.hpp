#pragma once

#include "runtime/decide/gear0_ratio.hpp"
#include "runtime/decide/gear0_reference.hpp"
#include "runtime/decide/prediction_bias.hpp"
#include "runtime/decide/recorded_iterations.hpp"
#include "runtime/decide/sensitivity_learner.hpp"
#include "runtime/decide/slowdown_budget.hpp"
#include "runtime/decide/work_assignment.hpp"
#include "runtime/exchange/messages.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hypermile::runtime {

/// A loop in which no rank computes for longer than this share tells nothing about the program
/// (a set-up loop of messages, say): its nodes would all be sent into their lowest gear.
inline constexpr double least_computation_share = 0.05;

/// Below this measured distance a choice is taken back for good, when it is so twice in a row:
/// once may be noise.
inline constexpr double worst_distance = 0.01;

/// What was learnt of a loop while its iterations take about the same time. Says nothing about
/// another loop, nor about the same one once it takes longer or less.
struct LearntOfLevel {
  bool first_gears = true; ///< none were chosen yet
  bool doubtful = false;   ///< measured with gears, the loop cost more than in gear 0
  std::string given_up{};  ///< why no gear is tried any more
  Gear0Ratio gear0_ratio{};
  std::size_t surprises = 0;      ///< in a row: measured, the last gears took longer than predicted
  double surplus = 0;             ///< by how much, at the last of these
  std::optional<Decision> good{}; ///< the last that did not
  std::optional<Decision> kept{}; ///< for the rest of the level
  double accepted = 0;            ///< time ratio that was measured of it and found worth having
  PredictionBias bias{};          ///< of the cluster model
  SensitivityLearner sensitivity{};
  /// Of the dependency model, see Clocked; and whether the last gears were chosen from a recording
  /// in gear 0, so that they tell it.
  double recorded_bias = 1;
  bool tells_bias = false;
  bool look_soon = false;        ///< at what the last choice comes to
  Seconds looked_back{};         ///< time since the begin of the run when gear 0 was measured again
  std::size_t looks_in_vain = 0; ///< in a row: clocks could tell nothing after them
  /// The gears that were given up for that, and what was measured in them.
  struct Interrupted {
    Decision decision;
    std::vector<Measurement> measured; ///< without events
    /// Since the begin of the run: by then gear 0 should have been measured. None: takes its time.
    std::optional<Seconds> overdue;
  };
  std::optional<Interrupted> interrupted{};
  /// By node type: for each 1 that the S of one of its nodes is above 1, iterations take this part
  /// longer than the dependency model says. A slower sender also slows messages that share links
  /// or that need its processor, which the model does not know.
  std::map<std::string, double> excess{};
  /// What the last choice by the dependency model rests on, where that can be compared: iterations,
  /// and how many times the time of gear 0 they took in the gears of then, as the model has it.
  struct Basis {
    UsualIteration iteration;
    double time_ratio;
  };
  std::optional<Basis> basis{};
  /// What it would have chosen for each node by itself.
  std::vector<model::Gear> by_node{};
  /// By node, what was chosen for the loop before, where that is of the same phase; see
  /// KnownBefore.
  std::vector<model::Gear> inherited{};
};

/// Gears that all nodes have left for gear 0, because the iterations had changed.
struct LeftGears {
  std::vector<model::Gear> by_node;
  double time_ratio; ///< against gear 0, as it was predicted
  Seconds time;      ///< since they were last accounted for
};

/// What choices of gears rest on, besides the last measurements.
struct Learnt {
  std::vector<Decision> decisions{};
  SlowdownBudget budget{};
  std::size_t phase = 0;
  Gear0Reference gear0{};      ///< of the present phase
  std::string unknown_gear0{}; ///< why gear 0 has to be measured first, where it has
  LearntOfLevel level{};
  std::optional<LeftGears> left{}; ///< just now
  WorkAssignment assignment{};
  /// Whether the last choice by events was gear 0 where most of the bound on slowdown was used up.
  bool short_of_room = false;

  /// Those that were last set for a loop of the present phase, by node; a look at gear 0 goes on in
  /// them afterwards. Empty: none were.
  [[nodiscard]] std::vector<model::Gear> gears_of_phase() const;
};

} // namespace hypermile::runtime
