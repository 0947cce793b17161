#pragma once

#include "select/plan.hpp"
#include "select/selector.hpp"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace hypermile::io {

/// Names as the command line and JSON spell them.
[[nodiscard]] std::string_view name_of(select::Bound bound);
[[nodiscard]] std::string_view name_of(model::ModelKind kind);

/// A frequency in GHz as it was read, without the digits that the way through hertz adds.
[[nodiscard]] double gigahertz(Hertz frequency);

/// A plan in the schema `hypermile/plan/1` (docs/selection.md): one gear and frequency per node,
/// also where one choice holds for all of them. `microseconds`: what the selection took, null if
/// not measured.
[[nodiscard]] nlohmann::ordered_json plan_to_json(const model::Problem& problem,
                                                  const select::Plan& plan,
                                                  std::optional<double> microseconds);

/// The same of a plan for a run, by the dependency model. `frequencies`: per node, in the plan's
/// gears; none: not known.
[[nodiscard]] nlohmann::ordered_json
run_plan_to_json(const select::Plan& plan, std::span<const std::optional<Hertz>> frequencies,
                 std::optional<double> microseconds);

/// Where a problem was read from.
struct ProblemSource {
  std::string problem{};      ///< a file; empty or "-": not one that can be read again
  std::string platform{};     ///< a name or a file, with a workload
  std::string workload{};     ///< a file
  std::string energy_model{}; ///< empty: that of the problem
};

/// What was asked for: the value of "request" in a plan.
[[nodiscard]] nlohmann::ordered_json request_to_json(const ProblemSource& source,
                                                     const select::Request& request);

/// A front in the schema `hypermile/front/1`. "gears_listed" tells whether its points
/// have gears.
[[nodiscard]] nlohmann::ordered_json front_to_json(const model::Problem& problem,
                                                   const select::Front& front);

} // namespace hypermile::io
