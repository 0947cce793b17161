#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace hypermile::report {

/// The samples of `hypermile steer` in the folder of `--report`, a line each.
inline constexpr const char* steer_timeline_name = "timeline.csv";

/// What the page shows of these samples: `timeline` (`samples`, how many there were; `steps`, a few
/// hundred at most, of which each is one sample or the mean of some), `configurations` (what each
/// did and drew, in the order of their first samples), the first few hundred `decisions` and their
/// number `decision_count`; `timeline` is null where the folder has no samples, and `missing` says
/// so. Throws Error{config} with file and line for what cannot be understood.
[[nodiscard]] nlohmann::ordered_json steer_details(const std::string& folder);

} // namespace hypermile::report
