#pragma once

#include "steer/arrivals.hpp"
#include "steer/bounds.hpp"
#include "steer/estimate.hpp"
#include "steer/phase_watch.hpp"
#include "steer/sample.hpp"
#include "steer/sample_averager.hpp"
#include "steer/sampling.hpp"
#include "steer/search.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hypermile::steer {

enum class Mode {
  calibrating, ///< the program's phase is new
  choosing,    ///< its models are known; the bounds or the arrivals have changed
  steady
};
std::string name_of(Mode mode);

/// What to do until the next sample.
struct Action {
  std::size_t configuration;
  Mode mode;
  Seconds sample;     ///< to measure for
  std::string reason; ///< as a user reads it; empty: nothing was decided
};

/// What became of steering so far.
struct Account {
  std::size_t calibrations = 0; ///< phases that were new
  std::size_t phases = 0;       ///< known
  std::size_t phase = 0;        ///< the present one, from 0
  std::size_t phase_changes = 0;
  std::size_t arrival_changes = 0; ///< that led to another choice
  bool keeps_bounds = true;        ///< what was last settled in
  std::optional<Rate> arrivals{};  ///< smoothed; with what it works off that was waiting
  Goal goal{};                     ///< the present one
};

/// The control loop of [N16], Algorithm 3: calibrates, settles, and watches. A change of what
/// arrives leads to another choice by the models that there are; a change of what the program can
/// do, or draws, in one configuration is another phase: one that was seen before has its models
/// still, only a new one is calibrated. Knows no clock and touches nothing: it is told what was
/// measured, and tells what to measure next.
class Controller {
public:
  /// `space` must outlive it. Throws as make_search(), and Error{config} as check() says.
  Controller(const Space& space, const std::string& method, const Bounds& bounds,
             const Sampling& sampling);
  ~Controller();
  Controller(Controller&&) noexcept;

  /// The first order.
  [[nodiscard]] const Action& action() const { return action_; }
  /// What was measured under the last order. Returns the next.
  const Action& on_sample(const Sample& sample);
  /// Holds from the next sample on. Throws as the constructor.
  void set_bounds(const Bounds& bounds);

  [[nodiscard]] const Bounds& bounds() const { return bounds_; }
  [[nodiscard]] const Account& account() const { return account_; }

private:
  /// Of the present phase.
  [[nodiscard]] Search& search() { return *phases_[account_.phase]; }
  [[nodiscard]] Situation situation(const Sample& sample) const;
  void aim(const Goal& goal);
  void begin_phase();
  void add_to_visit(const Sample& sample);
  void finish_visit(const Measurement& mean);
  void give_up_visit();
  void advance(const std::string& why);
  void choose_again(const std::string& why);
  bool aim_at_what_is_possible();
  void settle(const Step& step, const std::string& why);
  void watch(const Sample& latest);
  void change_phase(const Measurement& seen);
  [[nodiscard]] std::optional<std::size_t> known_phase(const Measurement& seen) const;
  bool follow_goal(const Sample& sample);
  void mend_missed_bound(const Sample& sample);

  const Space& space_;
  std::string method_;
  Bounds bounds_;
  Sampling sampling_;
  Action action_;
  Account account_;
  std::vector<std::unique_ptr<Search>> phases_; ///< a search for each, which knows its models
  SampleAverager averager_;
  PhaseWatch phase_watch_;
  Sample last_{};
  bool asked_ = false;              ///< other bounds have been set, and not been looked at
  bool contended_ = false;          ///< the goal allows for other programs on the same cores
  bool overloaded_ = false;         ///< no configuration serves what arrives
  Seconds calibrated_for_{};        ///< since the present search for a configuration began
  std::optional<Mode> interrupted_; ///< there was nothing to do: what is to be gone on with
  Arrivals arrivals_;
  Smoothed granted_; ///< see granted(Sample)
  // Since it settled:
  Smoothed capacity_;
  Smoothed power_;
  std::size_t missed_ = 0; ///< samples in a row that miss the bounds
};

} // namespace hypermile::steer
