#pragma once

#include "select/plan.hpp"
#include "units/quantity.hpp"

#include <string>

namespace hypermile::io {

// What a request for a plan is made of, in the words of the command line. All throw Error{config}
// for a text that is none.

[[nodiscard]] select::Objective parse_objective(const std::string& name);
[[nodiscard]] select::Method parse_method(const std::string& name);
/// From 0 to 1.
[[nodiscard]] double parse_weight(const std::string& text);
/// Not negative.
[[nodiscard]] Joules parse_energy_budget(const std::string& text);

} // namespace hypermile::io
