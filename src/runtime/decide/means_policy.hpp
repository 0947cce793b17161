#pragma once

#include "runtime/decide/learnt.hpp"
#include "runtime/decide/node_problem.hpp"
#include "runtime/decide/time_model.hpp"
#include "select/selector.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hypermile::runtime {

/// Chooses gears by the cluster model, from the means of all iterations. Keeps an account of a
/// bound on slowdown, as this model knows little about how iterations vary.
class MeansPolicy {
public:
  MeansPolicy(const select::Request& request, double confidence, Learnt& learnt)
      : request_(request), confidence_(confidence), learnt_(learnt) {}

  /// Whether there is a bound that the method knows how to keep.
  [[nodiscard]] bool keeps_account() const;
  /// Enters into the account what passed since the last choice.
  void spend(const std::vector<Measurement>& all);
  Decision choose(const std::vector<Measurement>& all, const NodeProblem& problem);
  /// The fastest gears that keep the caps on power, in place of a decision that does not.
  Decision keep_caps(const NodeProblem& problem, const Decision& instead_of);
  /// The last decision took this time, measured, against gear 0.
  void learn(const std::vector<Measurement>& all, double time_ratio);

private:
  [[nodiscard]] std::string objection(const std::vector<Measurement>& all) const;
  /// Stays in gear 0 where there is an objection. `in_gear0`: an iteration, where it is known
  /// better than by the nodes' table.
  Decision decide(const NodeProblem& nodes, const std::string& objection,
                  const std::optional<model::Baseline>& in_gear0 = std::nullopt);
  /// The plan of the request; where no gears keep bound and caps, the bound on slowdown gives way,
  /// which is told in the decision.
  const select::Plan& plan(const model::Problem& problem, const select::Request& request,
                           Decision& decision);
  /// Leaves of the bound what the account, the bias and what is not known of gear 0 do, against
  /// the model's time in gear 0, of which gear 0 takes `reference`; why nothing is left, if so.
  std::string tighten(select::Request& request, double reference);

  const select::Request& request_;
  double confidence_;
  Learnt& learnt_;
  select::Selector selector_;
};

} // namespace hypermile::runtime
