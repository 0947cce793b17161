#pragma once

#include "steer/bounds.hpp"
#include "steer/estimate.hpp"
#include "steer/sample.hpp"
#include "steer/search.hpp"
#include "steer/visits.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hypermile::steer {

/// How a program is watched. The times are those of [N16] 4.
struct Watching {
  Seconds calibration_sample{0.1};
  Seconds steady_sample{1};
  /// A visit of one configuration ends after this time, however noisy it is.
  Seconds longest_visit{2};
  /// Calibration ends after this time, with the best that was visited.
  Seconds longest_calibration{30};
  /// A capacity, or a power under full load, that changes by more than this share is another phase.
  double phase_change = 0.2;
};

enum class Mode {
  calibrating, ///< the program's phase is new
  choosing,    ///< its models are known; the bounds or the arrivals have changed
  steady
};
std::string name_of(Mode mode);

/// What to do until the next sample.
struct Order {
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
  std::optional<Rate> arrivals{};  ///< smoothed
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
             const Watching& watching);
  ~Controller();
  Controller(Controller&&) noexcept;

  /// The first order.
  [[nodiscard]] const Order& order() const { return order_; }
  /// What was measured under the last order. Returns the next.
  const Order& on_sample(const Sample& sample);
  /// Holds from the next sample on. Throws as the constructor.
  void set_bounds(const Bounds& bounds);

  [[nodiscard]] const Bounds& bounds() const { return bounds_; }
  [[nodiscard]] const Account& account() const { return account_; }

private:
  struct Phase {
    std::unique_ptr<Search> search;
    Visits visits;
    Goal goal; ///< what the search was last aimed at
  };
  [[nodiscard]] Phase& phase() { return phases_[account_.phase]; }
  [[nodiscard]] Situation situation(const Sample& sample) const;
  void aim(const Goal& goal);
  void aim_search(const Goal& goal);
  void begin_phase();
  void look(const Sample& sample);
  [[nodiscard]] double error_of_looks() const;
  [[nodiscard]] std::optional<Sample> put_together(const Sample& sample, Seconds longest);
  void finish_visit();
  void give_up_visit();
  void advance(const std::string& why);
  bool aim_at_what_is_possible();
  void settle(const Step& step, const std::string& why);
  void watch(const Sample& latest);
  [[nodiscard]] bool is_another_phase(const Sample& sample);
  void change_phase(const Measurement& seen);
  [[nodiscard]] std::optional<std::size_t> known_phase(const Measurement& seen) const;
  bool follow_goal(const Sample& sample);
  bool mend_missed_bound(const Sample& sample);
  [[nodiscard]] Measurement measured(const Sample& sample) const;

  const Space& space_;
  std::string method_;
  Bounds bounds_;
  Watching watching_;
  Order order_;
  Account account_;
  std::vector<Phase> phases_;
  Sample last_{};
  std::optional<Sample> pending_; ///< of too few items, to be put together with the next
  bool asked_ = false;            ///< other bounds have been set, and not been looked at

  // The present visit.
  std::vector<Measurement> looks_;
  double looked_at_ = 0; ///< items
  Seconds looked_for_{};
  Seconds calibrated_for_{};
  bool overloaded_ = false; ///< no configuration serves what arrives

  // While steady.
  std::optional<Mode> interrupted_;      ///< there was nothing to do: what is to be gone on with
  std::optional<Measurement> reference_; ///< what was measured where it settled
  Smoothed capacity_;
  Smoothed power_;
  Smoothed arrivals_;
  std::size_t unlike_ = 0; ///< samples in a row that look like another phase
  std::size_t missed_ = 0; ///< samples in a row that miss the bounds
  Scatter scatter_;
};

} // namespace hypermile::steer
