#pragma once

#include "report/job_ratios.hpp"
#include "runtime/exchange/run_report.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace hypermile::report {

/// A phase of the program: a time in which it repeats one loop. It may come back again and again.
struct Phase {
  double share;                    ///< of the ranks' time
  std::size_t times;               ///< that the program was in it, on rank 0
  std::size_t iterations;          ///< there
  std::string iteration;           ///< what one consists of, there
  std::optional<Ratio> ratio;      ///< of the time in gears that were chosen for it, to gear 0
  const runtime::Decision* choice; ///< the last of gears other than 0; null: none. Of the run
};

/// Those for which gears were chosen, or kept at 0, by when they began. Refers to the run.
std::vector<Phase> phases_of(const runtime::RunReport& run);

/// A table, where there are two phases at least that matter; else empty.
std::string phases_text(const runtime::RunReport& run);
nlohmann::ordered_json phases_json(const runtime::RunReport& run);

} // namespace hypermile::report
