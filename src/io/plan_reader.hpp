#pragma once

#include "io/plan_json.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hypermile::io {

/// Reads the gears of a plan, one per node, as `hypermile select --json` prints it (schema
/// `hypermile/plan/1`, docs/selection.md); of each plan where it prints an array of them. `file` is
/// used in messages only. Throws Error{config} with file and key, or line and column, for anything
/// else.
std::vector<std::vector<model::Gear>> parse_plans(std::string_view text, const std::string& file);

/// A plan with what it says of itself.
struct StatedPlan {
  std::vector<model::Gear> gears; ///< one per node
  select::Request request;        ///< method, objective, weight and bounds
  Seconds time;                   ///< predicted for one iteration
  Joules energy;                  ///< likewise
  ProblemSource source;           ///< nothing where the plan does not say
  bool is_of_run = false;         ///< of a model or a recorded run, and of no problem
};

/// The same in full: every plan must have method, objective, time and energy, too.
std::vector<StatedPlan> parse_stated_plans(std::string_view text, const std::string& file);

/// From a gear per node to one per unit of the problem. `name` is that of the gears, in messages
/// only, and `advice` says where better ones are. Throws Error{config} for another number of gears
/// than nodes, for a gear that a node does not have, and where nodes that share a gear differ.
std::vector<model::Gear> gears_of_units(const model::Problem& problem,
                                        const std::vector<model::Gear>& gears,
                                        const std::string& name, const std::string& advice = "");

} // namespace hypermile::io
