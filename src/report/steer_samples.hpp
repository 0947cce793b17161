#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hypermile::report {

/// Cores and gear as a timeline names them.
struct SampledSettings {
  std::size_t cores = 0;
  std::optional<double> frequency_ghz; ///< none: no gears were set, or other ones
  std::string setting;                 ///< "85 W"; empty: no gears were set, or frequencies
  std::string placement;
  bool operator==(const SampledSettings&) const = default;
};

/// A line of the timeline of a steered program (docs/steer.md).
struct SteerSample {
  double time_s = 0; ///< of its end
  double length_s = 0;
  std::string mode; ///< calibrating, choosing or steady
  SampledSettings settings;
  double throughput_per_s = 0;
  std::optional<double> arrivals_per_s;
  double power_w = 0;
  bool keeps_bounds = true;
  SampledSettings next;
  std::string decision;
};

/// Reads CSV as `hypermile steer --timeline FILE.csv` writes it. `file` is used in messages only.
/// Throws Error{config} with file and line for what is not understood.
[[nodiscard]] std::vector<SteerSample> read_steer_samples(std::string_view text,
                                                          const std::string& file);

} // namespace hypermile::report
