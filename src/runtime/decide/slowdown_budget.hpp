#pragma once

#include "model/dependency/noise.hpp"
#include "units/quantity.hpp"

#include <optional>

namespace hypermile::runtime {

/// Keeps a bound on the slowdown of a whole run: time that one choice of gears lost against the
/// bound, or left unused, is made up for by the next.
class SlowdownBudget {
public:
  /// No run shows less: a bound of 0 means this.
  static constexpr double least = 0.001;
  /// What choices use of a bound: the rest is for what no account sees in time, as the last choice
  /// may come out worse than predicted, and then the program ends. With 0.9, and up to 1.25
  /// times that in a choice, bench/bounds missed 10 bounds of 100 where it now misses 7.
  [[nodiscard]] static double usable(double max_slowdown) { return 0.8 * max_slowdown; }

  /// `elapsed`: since the begin of the run. `slowdown`: by how much that which passed since the
  /// last call took longer than in gear 0 (0.05: 5 %). `own`: what hypermile itself has taken of
  /// that since the begin of the run, which nobody would without it. `error`: standard error of
  /// the slowdown.
  void spend(Seconds elapsed, double slowdown, Seconds own = {}, double error = 0);
  /// Of what was spent by now so much more was lost than anybody knew then.
  void lose(Seconds time) { in_gear0_ -= time; }
  /// Until when it is known, since the begin of the run.
  [[nodiscard]] Seconds elapsed() const { return elapsed_; }
  /// As measured it was no less than this since the last call, whatever the next spend() says.
  void correct(double slowdown) { at_least_ = slowdown; }

  /// What is expected of the gears from now on to the next call of spend(): the time against gear
  /// 0; none: nothing, or nobody knows.
  void expect(const std::optional<model::dependency::Spread>& time) { expected_ = time; }
  /// The mean of that; 0: nothing is expected.
  [[nodiscard]] double expected() const { return expected_ ? expected_->mean : 0; }
  /// How many times the expected deviation the slowdown was off by, root mean square; 1 to begin
  /// with.
  [[nodiscard]] double surprise() const;

  /// The slowdown allowed for half as long as the run has taken so far (when LoopWatch has news
  /// again), so that by then it is `max_slowdown` in all. At least 0; and whatever hypermile itself
  /// has taken, which gear 0 does not bring back, at least as much as keeps what the gears cost at
  /// a quarter of that.
  [[nodiscard]] double allowed(double max_slowdown) const;
  /// What to aim at: no more than is allowed, and near the bound, as much time lost in a part of a
  /// run saves less than a little lost all the time.
  [[nodiscard]] double aim(double max_slowdown) const;

private:
  [[nodiscard]] double room(double max_slowdown, Seconds taken) const;

  Seconds elapsed_;
  Seconds own_;
  Seconds in_gear0_; ///< what that would have taken
  std::optional<double> at_least_;
  std::optional<model::dependency::Spread> expected_;
  double squares_ = 1; ///< sum of squared surprises
  double count_ = 1;
};

} // namespace hypermile::runtime
