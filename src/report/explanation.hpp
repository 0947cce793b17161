#pragma once

#include "simulate/explanation.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hypermile::report {

/// What is explained, for the heading.
struct ExplainedRun {
  std::string folder; ///< of the report; empty: there is none that stays
  std::vector<std::string> program;
  std::string platform;
  std::string run;    ///< whose gears these are: "exact"; or where they come from: "--gears 0,3"
  bool given = false; ///< they were given, and are not those of a run of the folder
  std::vector<std::string> others; ///< runs of the folder that could be explained as well
  /// What the simulation of that run took; none where there is none.
  std::optional<simulate::Expectation> simulated;
  /// Of the whole run, where only a part of a model's steps was simulated.
  std::optional<simulate::Expectation> whole{};
  bool changed_on_the_way = false; ///< that run was not in these gears all the time
  select::Request request;         ///< what is better
};

/// The explanation for a terminal, at most 79 columns; of calls and segments the first `top`.
[[nodiscard]] std::string explanation_text(const ExplainedRun& run,
                                           const simulate::Explanation& explanation,
                                           std::size_t top);

/// As JSON, schema `hypermile/explanation/1` (docs/explain.md).
[[nodiscard]] std::string explanation_json(const ExplainedRun& run,
                                           const simulate::Explanation& explanation,
                                           std::size_t top);

} // namespace hypermile::report
