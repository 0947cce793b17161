#pragma once

#include "runtime/decide/time_model.hpp"
#include "runtime/settings.hpp"
#include "select/methods.hpp"
#include "select/selector.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hypermile::runtime {

/// Methods that choose for programs as they run: by the means of the ranks, with one of the time
/// models.
[[nodiscard]] bool is_for_runs(const select::MethodRow& method);
/// "exact, slack, ...": those.
[[nodiscard]] std::string method_names_of_runs();

/// What does not go together of a method, a time model and constraints. Throws Error{config}.
void check_choice(const select::MethodRow& method, TimeModelKind model,
                  const select::Constraints& constraints);

/// What the settings ask to optimise; none for the methods "none" and "fixed".
/// Throws Error{config} for a method or objective that does not exist, and as check_choice().
std::optional<select::Request> to_request(const Settings& settings);

/// What the choices rest on. `assumed`: of the MPI library, where no message shows it.
/// Throws Error{config} for a time model that does not exist.
TimeModel to_time_model(const Settings& settings, const model::dependency::Protocol& assumed);

/// The gear of each rank's node, given one per node in the order of the first rank on each.
/// Throws Error{config} if there are not as many gears as nodes.
std::vector<model::Gear> gears_of_ranks(const std::vector<model::Gear>& gears,
                                        const std::vector<std::string>& node_of_rank);

} // namespace hypermile::runtime
