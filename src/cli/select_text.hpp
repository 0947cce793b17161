#pragma once

#include "select/plan.hpp"

#include <string>
#include <vector>

namespace hypermile::cli {

/// A plan and how long its selection took.
struct TimedPlan {
  select::Plan plan;
  double microseconds;
};

/// What the terminal shows: the problem, a line per plan, the gears of the best one (the first
/// where none keeps the bounds), and what is violated. At most 100 columns.
[[nodiscard]] std::string plans_as_text(const model::Problem& problem,
                                        const std::vector<TimedPlan>& plans);

/// A line per plan, under a heading.
[[nodiscard]] std::string plans_table(const std::vector<TimedPlan>& plans);
/// What the plans do not keep of the bounds, a line each.
[[nodiscard]] std::string violations_text(const std::vector<TimedPlan>& plans);

/// The Pareto front, thinned to about 40 lines.
[[nodiscard]] std::string front_as_text(const model::Problem& problem, const select::Front& front);

} // namespace hypermile::cli
