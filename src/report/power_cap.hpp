#pragma once

#include "io/power_cap.hpp"
#include "report/job_summary.hpp"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace hypermile::report {

/// A cap on power, and what was reached.
struct CapOutcome {
  io::PowerCap cap;
  std::optional<Watts> reached{}; ///< none: not known, as the nodes' power is not
  std::string by{};               ///< what that rests on: "measured", "power tables", "simulated"
  /// None: not known.
  [[nodiscard]] std::optional<bool> kept() const;
};

/// The most that all nodes together would have drawn at any time of a run, had they all computed:
/// by their power tables. None where a node's power is unknown, or only assumed.
[[nodiscard]] std::optional<Watts> peak_of(const runtime::RunReport& run);

/// Of each cap that was asked for, the average first: that of the whole job, by the best that is
/// known of its energy.
[[nodiscard]] std::vector<CapOutcome> caps_of(const Job& job, const JobSummary& summary);

/// The same of a simulated run, of which the average is known.
[[nodiscard]] std::vector<CapOutcome> caps_of(const io::PowerCaps& caps, Watts average,
                                              const runtime::RunReport& run);

/// "the cap of 90 W on average power was kept (82.1 W, by power tables)".
[[nodiscard]] std::string cap_text(const CapOutcome& outcome);
[[nodiscard]] nlohmann::ordered_json caps_json(const std::vector<CapOutcome>& outcomes);

/// Why a cap, or a bound on slowdown beside it, was not to be kept; empty: both were.
[[nodiscard]] std::string given_up(const runtime::RunReport& run);

} // namespace hypermile::report
