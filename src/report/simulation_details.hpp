#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace hypermile::report {

/// What a folder of `hypermile simulate --report` says beyond its simulation.json: for each of its
/// `runs` what the ranks did (`rank_times`), the `power` over time and the `timeline`; and
/// `missing`, sentences that say what is not there, and why. Throws Error{config} naming the file
/// for what cannot be understood.
[[nodiscard]] nlohmann::ordered_json simulation_details(const std::string& folder);

} // namespace hypermile::report
