#pragma once

#include <optional>
#include <string>
#include <vector>

namespace hypermile::report {

/// Groups of bars, one group per category, one bar per series.
struct BarChart {
  struct Series {
    std::string name;
    std::vector<std::optional<double>> values; ///< one per category; none: no bar
  };
  std::string title;
  std::string unit; ///< of the values
  std::vector<std::string> categories;
  std::vector<Series> series; ///< at most 8
};

/// As SVG, which follows the viewer's light or dark scheme, and says its values in tool tips.
/// Values may be negative. Throws Error{model} for more series, values that are not finite, or
/// above 1e9.
std::string bar_chart(const BarChart& chart);

} // namespace hypermile::report
