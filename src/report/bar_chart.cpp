#include "report/bar_chart.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace hypermile::report {
namespace {

constexpr double left = 56;
constexpr double top = 44;
constexpr double plot_height = 260;
constexpr double bar_width = 18;
constexpr double gap = 22; ///< between groups
constexpr double least_width = 560;
constexpr double legend_line = 20;
constexpr double greatest = 1e9; ///< value

/// Okabe and Ito's colours, which the colour-blind can tell apart; grey for the first.
constexpr std::array colours{"#8a8a8a", "#0072b2", "#e69f00", "#009e73",
                             "#cc79a7", "#56b4e9", "#d55e00", "#b8a900"};

constexpr const char* style = R"(<style>
text { font: 13px sans-serif; fill: #222; }
.title { font-size: 15px; font-weight: bold; }
.grid { stroke: #ccc; } .axis { stroke: #222; }
.background { fill: #fff; }
@media (prefers-color-scheme: dark) {
text { fill: #ddd; } .grid { stroke: #444; } .axis { stroke: #ddd; } .background { fill: #111; }
}
</style>
)";

std::string in_xml(const std::string& text) {
  std::string safe;
  for (const char c : text)
    switch (c) {
    case '&':
      safe += "&amp;";
      break;
    case '<':
      safe += "&lt;";
      break;
    case '"':
      safe += "&quot;";
      break;
    default:
      safe += c;
    }
  return safe;
}

/// From a multiple of the step below all values to one above them, with 0 in between.
struct Axis {
  double least = 0;
  double most = 0;
  double step = 1;

  [[nodiscard]] double y(double value) const {
    return top + plot_height * (most - value) / (most - least);
  }
};

/// 1, 2 or 5 times a power of ten: at most about eight of them in the range.
double step_for(double range) {
  const double power = std::pow(10, std::floor(std::log10(range / 8)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (range / (factor * power) <= 8)
      return factor * power;
  return 10 * power;
}

Axis axis_for(const BarChart& chart) {
  Axis axis;
  for (const auto& series : chart.series)
    for (const auto& value : series.values)
      if (value) {
        axis.least = std::min(axis.least, *value);
        axis.most = std::max(axis.most, *value);
      }
  if (axis.most == axis.least)
    axis.most = 1;
  axis.step = step_for(axis.most - axis.least);
  axis.least = axis.step * std::floor(axis.least / axis.step);
  axis.most = axis.step * std::ceil(axis.most / axis.step);
  return axis;
}

std::string grid_of(const Axis& axis, double width) {
  std::string text;
  const auto steps = std::lround((axis.most - axis.least) / axis.step);
  for (long i = 0; i <= steps; ++i) {
    const double value = axis.least + axis.step * static_cast<double>(i);
    const bool zero = std::abs(value) < axis.step / 2;
    text +=
        fmt::format("<line class=\"{}\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n"
                    "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{:g}</text>\n",
                    zero ? "axis" : "grid", left, width - 10, axis.y(value), axis.y(value),
                    left - 6, axis.y(value) + 4, zero ? 0.0 : value);
  }
  return text;
}

std::string bar_of(const BarChart& chart, const Axis& axis, std::size_t category, std::size_t s) {
  const auto& series = chart.series[s];
  const auto& value = series.values[category];
  if (!value)
    return "";
  const auto bars = static_cast<double>(chart.series.size());
  const double x = left + gap / 2 + static_cast<double>(category) * (bars * bar_width + gap) +
                   static_cast<double>(s) * bar_width;
  return fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\">"
      "<title>{}, {}: {:.2f} {}</title></rect>\n",
      x, axis.y(std::max(*value, 0.0)), bar_width - 2, std::abs(axis.y(*value) - axis.y(0)),
      colours[s], in_xml(chart.categories[category]), in_xml(series.name), *value,
      in_xml(chart.unit));
}

std::string group_of(const BarChart& chart, const Axis& axis, std::size_t category) {
  const double width = static_cast<double>(chart.series.size()) * bar_width;
  const double middle = left + gap / 2 + static_cast<double>(category) * (width + gap) + width / 2;
  std::string text =
      fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", middle,
                  top + plot_height + 20, in_xml(chart.categories[category]));
  for (std::size_t s = 0; s < chart.series.size(); ++s)
    text += bar_of(chart, axis, category, s);
  return text;
}

std::string legend_of(const BarChart& chart) {
  std::string text;
  double y = top + plot_height + 46;
  for (std::size_t s = 0; s < chart.series.size(); ++s, y += legend_line)
    text += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"12\" height=\"12\" fill=\"{}\"/>"
                        "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
                        left, y - 11, colours[s], left + 20, y, in_xml(chart.series[s].name));
  return text;
}

void check(const BarChart& chart) {
  if (chart.series.size() > colours.size())
    throw Error(ErrorKind::model, fmt::format("a chart has {} series", chart.series.size()),
                fmt::format("at most {}", colours.size()));
  for (const auto& series : chart.series) {
    if (series.values.size() != chart.categories.size())
      throw Error(ErrorKind::model,
                  fmt::format("series '{}' has {} values, but there are {} categories", series.name,
                              series.values.size(), chart.categories.size()));
    for (const auto& value : series.values)
      if (value && !(std::abs(*value) <= greatest))
        throw Error(ErrorKind::model, fmt::format("series '{}' has a value that is not finite, or "
                                                  "above {:g}",
                                                  series.name, greatest));
  }
}

} // namespace

std::string bar_chart(const BarChart& chart) {
  check(chart);
  const Axis axis = axis_for(chart);
  const double group = static_cast<double>(chart.series.size()) * bar_width + gap;
  const double width =
      std::max(least_width, left + group * static_cast<double>(chart.categories.size()) + 20);
  const double height =
      top + plot_height + 50 + legend_line * static_cast<double>(chart.series.size());
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" role=\"img\" aria-label=\"{2}\">\n",
      width, height, in_xml(chart.title));
  svg += style;
  svg += fmt::format("<rect class=\"background\" width=\"{:.0f}\" height=\"{:.0f}\"/>\n"
                     "<text class=\"title\" x=\"{:.1f}\" y=\"20\">{}</text>\n"
                     "<text x=\"{:.1f}\" y=\"38\">{}</text>\n",
                     width, height, left, in_xml(chart.title), left, in_xml(chart.unit));
  svg += grid_of(axis, width);
  for (std::size_t category = 0; category < chart.categories.size(); ++category)
    svg += group_of(chart, axis, category);
  return svg + legend_of(chart) + "</svg>\n";
}

} // namespace hypermile::report
