#pragma once

#include "learn/memory.hpp"
#include "model/dependency/protocol.hpp"
#include "select/selector.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hypermile::learn {

/// Gears for a job from MPI_Init on, and how to tell that it is the job they are for.
struct StartingPlan {
  struct Rank {
    std::size_t node = 0; ///< the same number for ranks of the same node
    std::string type;     ///< of the node
    model::Gear gear = 0;
    runtime::Outline outline{}; ///< what the rank is expected to do
  };
  std::string program;
  std::vector<std::string> arguments;
  std::string objective;
  std::optional<double> max_slowdown; ///< as asked for
  runtime::PlannedRun planned;
  bool knows_dependencies = false; ///< else by the cluster model, from the totals of the ranks
  std::string declined;            ///< why all nodes stay in gear 0; empty: they need not
  std::vector<Rank> ranks;
};

/// The best gears for all of the next run, by what is known of the job. Of a bound on slowdown a
/// part is left for what runs differ by. `think`: how long the search may take. Throws
/// Error{config} for a bound out of its range, Error{model} for a method that is for other
/// programs.
[[nodiscard]] StartingPlan make_plan(const Memory& memory, const select::Request& request,
                                     const model::dependency::Protocol& assumed, Seconds think);

/// Why the plan is not for this job; empty: it is.
[[nodiscard]] std::string mismatch(const StartingPlan& plan, const Identity& identity);

/// The plan as JSON, schema `hypermile/job-plan/1` (docs/learning.md).
[[nodiscard]] std::string print_starting_plan(const StartingPlan& plan);
/// Throws Error{config} with file and key for anything else.
[[nodiscard]] StartingPlan parse_starting_plan(std::string_view text, const std::string& file);

} // namespace hypermile::learn
