#pragma once

#include "select/plan_explanation.hpp"
#include "select/selector.hpp"

#include <string>

namespace hypermile::report {

/// A plan that is explained, for its heading.
struct ExplainedPlan {
  std::string file;
  std::string problem;     ///< where the problem was read from
  select::Request request; ///< the plan's method, and what is better
  /// What else a reader must know: another prediction in the plan, say. Empty: nothing.
  std::string remark;
};

/// The explanation for a terminal, at most 79 columns.
[[nodiscard]] std::string plan_explanation_text(const ExplainedPlan& plan,
                                                const model::Problem& problem,
                                                const select::PlanExplanation& explanation);

/// As JSON, schema `hypermile/explanation/1` (docs/explain.md).
[[nodiscard]] std::string plan_explanation_json(const ExplainedPlan& plan,
                                                const model::Problem& problem,
                                                const select::PlanExplanation& explanation);

} // namespace hypermile::report
