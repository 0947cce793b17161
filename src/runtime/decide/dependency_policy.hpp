#pragma once

#include "runtime/decide/learnt.hpp"
#include "runtime/decide/node_problem.hpp"
#include "runtime/decide/time_model.hpp"
#include "select/selector.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hypermile::runtime {

/// Chooses gears from the events of all ranks, which tell who waits for whom. As events of any
/// gears say what all others would do, there is nothing to try out first; but gears that do not do
/// what was predicted are taken back. Under a bound on slowdown clocks have the last word: see
/// rest_on_clocks().
class DependencyPolicy {
public:
  DependencyPolicy(const select::Request& request, const TimeModel& model, Learnt& learnt)
      : request_(request), model_(model), learnt_(learnt),
        decision_budget_(model.stopwatch, model.think) {}

  /// A choice begins, of which choose() is a part.
  void begin(Seconds elapsed) { decision_budget_.begin(elapsed); }
  void end() { decision_budget_.end(); }
  /// None where the cluster model is what there is. Gives the present loop up where the program
  /// decides while it runs who does what.
  std::optional<Decision> choose(const std::vector<Measurement>& all, const NodeProblem& problem);
  /// Nothing was tried of late: what was learnt from surprises is worth less and less.
  void forget();
  /// The last decision took this time, measured, against gear 0.
  void learn(const std::vector<Measurement>& all, double time_ratio);

private:
  std::optional<double> clocked_time_ratio(const std::vector<Measurement>& all);
  void account_for_misfit(const model::Prediction& now, Seconds iteration);
  void stay_in_gear0(std::string why, Decision& decision);
  void wait_for_like(Decision& decision);
  [[nodiscard]] bool resumes(Decision& decision);
  void leave_room(Decision& decision);
  static bool is_confirmed(const std::optional<double>& time_ratio, double slowdown);
  void rest_on_clocks(const std::vector<Measurement>& all, const std::optional<double>& time_ratio,
                      Decision& decision);
  static std::optional<Seconds> overdue(const Decision& last, const std::vector<Measurement>& all);
  [[nodiscard]] bool is_worth_looking_back(const std::vector<Measurement>& all) const;
  void learn_bias(double time_ratio);
  void learn_excess(const std::vector<Measurement>& all, double surplus);
  void step_back(const std::vector<Measurement>& all, double time_ratio);

  const select::Request& request_;
  const TimeModel& model_;
  Learnt& learnt_;
  DecisionBudget decision_budget_;
};

} // namespace hypermile::runtime
