#pragma once

#include "report/job_ratios.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

/// What the wait gears of a run's nodes came to (`hypermile run --wait-gear`).
namespace hypermile::report {

/// What they saved by the power tables, and what the node that lost most by them lost. Nothing
/// where they were not set.
struct WaitGearEffect {
  Joules saved{};
  Seconds cost{};
};
WaitGearEffect wait_gear_effect(const runtime::RunReport& run);

/// Of all nodes together; empty: nobody asked for any. `energy`: of the run, by the power tables;
/// none: it is not known or means nothing.
std::string wait_gear_text(const runtime::RunReport& run, std::optional<Joules> energy);

/// Why the node has none, or has it no longer; empty: it has, or nobody asked.
std::string wait_gear_remark(const runtime::RankReport& leader);

/// Of one node; null: nobody asked for it.
nlohmann::ordered_json wait_gear_json(const runtime::RankReport& leader);

} // namespace hypermile::report
