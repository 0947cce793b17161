#include "report/m16_report.hpp"

#include "units/wrapped.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace hypermile::report {
namespace {

using nlohmann::ordered_json;

constexpr double joules_per_wh = 3600;
/// Table I has a node that draws 48 W with nothing to do, where all others draw 80 W.
constexpr double other_idle = 48.0 / 80.0;

double off(double value, double published) { return 100 * (value / published - 1); }

/// By how many percent the energy of a row would be lower, if idle nodes drew 48 W.
double less_if_idle(const M16Table& table, std::size_t row) {
  return 100 * (1 - other_idle) * table.idle[row].value() / table.fitted.fit.fitted[row];
}

std::string rows_of(const M16Table& table) {
  std::string text =
      fmt::format("{:>6}{:>10}{:>10}{:>8}{:>10}{:>8}{:>10}{:>8}{:>10}\n", "ranks", "published",
                  "MERPSYS", "error %", "here", "error %", "left out", "error %", "48 W idle");
  for (std::size_t i = 0; i < table.published.rows.size(); ++i) {
    const double published = table.published.rows[i].measured;
    const double merpsys = table.merpsys.rows[i].measured;
    const double here = table.fitted.fit.fitted[i];
    const double left_out = table.fitted.fit.left_out[i];
    text += fmt::format(
        "{:>6}{:>10.4g}{:>10.4g}{:>8.2f}{:>10.4g}{:>8.2f}{:>10.4g}{:>8.2f}{:>8.1f} %\n",
        table.published.rows[i].ranks, published / joules_per_wh, merpsys / joules_per_wh,
        off(merpsys, published), here / joules_per_wh, off(here, published),
        left_out / joules_per_wh, off(left_out, published), -less_if_idle(table, i));
  }
  return text;
}

std::string parameters_of(const M16Table& table) {
  std::string text = fmt::format("\n{:<12}{:>12}  {}\n", "parameter", "core-s", "95 % interval");
  for (std::size_t i = 0; i < table.parameters.size(); ++i) {
    const estimate::Estimate& found = table.fitted.fit.parameters[i];
    text += fmt::format("{:<12}{:>12.5g}  {:.4g} to {:.4g}\n", table.parameters[i], found.value,
                        found.low, found.high);
  }
  return text;
}

} // namespace

std::string print_m16(const std::vector<M16Table>& tables) {
  std::string text;
  for (const M16Table& table : tables)
    text += fmt::format("{}, in Wh\n\n{}{}\n", table.title, rows_of(table), parameters_of(table));
  return text +
         wrapped(
             "The paper does not print the times of its programs. Here they follow from models "
             "whose parameters are fitted to the published energies: this makes the tables again, "
             "and validates nothing. \"left out\" is what the model makes of a row with the "
             "parameters that fit all other rows best. \"48 W idle\" is what changes if nodes "
             "without processes draw the 48 W that Table I has for one row, not 80 W.");
}

std::string m16_json(const std::vector<M16Table>& tables) {
  ordered_json json{{"schema", "hypermile/m16/1"}, {"tables", ordered_json::array()}};
  for (const M16Table& table : tables) {
    ordered_json entry{{"title", table.title},
                       {"estimates", ordered_json::array()},
                       {"rows", ordered_json::array()}};
    for (std::size_t i = 0; i < table.parameters.size(); ++i) {
      const estimate::Estimate& found = table.fitted.fit.parameters[i];
      entry["estimates"].push_back({{"parameter", table.parameters[i]},
                                    {"value", found.value},
                                    {"low", found.low},
                                    {"high", found.high}});
    }
    for (std::size_t i = 0; i < table.published.rows.size(); ++i) {
      const double published = table.published.rows[i].measured;
      entry["rows"].push_back({{"ranks", table.published.rows[i].ranks},
                               {"published_j", published},
                               {"merpsys_j", table.merpsys.rows[i].measured},
                               {"here_j", table.fitted.fit.fitted[i]},
                               {"left_out_j", table.fitted.fit.left_out[i]},
                               {"error_percent", off(table.fitted.fit.fitted[i], published)},
                               {"less_with_48_w_idle_percent", less_if_idle(table, i)}});
    }
    json["tables"].push_back(entry);
  }
  return json.dump(2) + "\n";
}

} // namespace hypermile::report
