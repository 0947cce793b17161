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
  /// By a method that is for these nodes, or for a homogeneous cluster, which they may be. Throws
  /// Error{model}.
  void choose_gears(const NodeProblem& nodes, const model::Problem& problem,
                    const select::Request& request, Decision& decision);
  /// The plan of the request; where no gears keep bound and caps, the bound on slowdown gives way,
  /// which is told in the decision.
  const select::Plan& plan(const model::Problem& problem, const select::Request& request,
                           Decision& decision);
  /// What the account and the bias leave of the bound, and what is not known of gear 0.
  struct Room {
    double left = 0;
    double bias = 0;
    double unsure = 0;
  };
  [[nodiscard]] Room room_left() const;
  /// Why nothing is left.
  std::string tell_no_room(const Room& room);

  const select::Request& request_;
  double confidence_;
  Learnt& learnt_;
  select::Selector selector_;
};

} // namespace hypermile::runtime
