#pragma once

#include "select/neighbours.hpp"
#include "select/selector.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace hypermile::report {

/// Of what gears are changed: a node, or all nodes of a cluster whose nodes share a gear.
struct GearHolder {
  std::string name;
  model::Gear gear;
};

/// "0.5 s and 70 J: 1.20 % longer than in gear 0, with 30 % less energy; distance 28.8 points."
[[nodiscard]] std::string figures_in_words(const model::Prediction& prediction);

/// "maxdist", or "energy within a slowdown of 5 %".
[[nodiscard]] std::string aim_in_words(const select::Request& request);

/// What one gear more or less does: a line for each (the first 64), and whether one is better, in
/// words. At most 79 columns.
[[nodiscard]] std::string neighbours_text(const std::vector<GearHolder>& holders,
                                          const select::Neighbourhood& neighbourhood,
                                          const select::Request& request);

/// {"gear", "time_s", ...}, or null where there is none.
[[nodiscard]] nlohmann::ordered_json
neighbour_json(const std::optional<select::Neighbour>& neighbour);

/// Adds objective, weight, bounds, and the prediction of the present gears.
void add_aim_and_figures(const select::Request& request, const select::Neighbourhood& neighbourhood,
                         nlohmann::ordered_json& json);

/// "name" as it is, or its begin and ".." in so many columns.
[[nodiscard]] std::string shortened(const std::string& name, std::size_t columns);

/// As many lines of a table as a terminal's user reads; JSON has all.
inline constexpr std::size_t most_lines = 64;
/// "... 12 more (--json lists all of them)\n", or nothing.
[[nodiscard]] std::string more_lines(std::size_t listed, std::size_t all);

} // namespace hypermile::report
