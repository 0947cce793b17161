#pragma once

#include "select/plan.hpp"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string_view>

namespace hypermile::io {

/// Names as the command line and JSON spell them.
[[nodiscard]] std::string_view name_of(select::Method method);
[[nodiscard]] std::string_view name_of(select::Objective objective);
[[nodiscard]] std::string_view name_of(select::Bound bound);
[[nodiscard]] std::string_view name_of(model::ModelKind kind);
[[nodiscard]] std::optional<select::Method> method_named(std::string_view name);
[[nodiscard]] std::optional<select::Objective> objective_named(std::string_view name);

/// A plan in the schema `hypermile/plan/1` (docs/selection.md): one gear and frequency per node,
/// also where one choice holds for all of them. `microseconds`: what the selection took, null if
/// not measured.
[[nodiscard]] nlohmann::ordered_json plan_to_json(const model::Problem& problem,
                                                  const select::Plan& plan,
                                                  std::optional<double> microseconds);

/// A front in the schema `hypermile/front/1`. "gears_listed" tells whether its points
/// have gears.
[[nodiscard]] nlohmann::ordered_json front_to_json(const model::Problem& problem,
                                                   const select::Front& front);

} // namespace hypermile::io
