#include "report/neighbours.hpp"

#include "units/wrapped.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace hypermile::report {
namespace {

using select::Neighbour;
using select::Neighbourhood;
using select::Request;

/// "1.20 % longer", "0.31 % less".
std::string change(double share, const char* more, const char* less) {
  return fmt::format("{:.2f} % {}", 100 * std::abs(share), share >= 0 ? more : less);
}

/// In hundredths, without the sign of a zero.
double hundredths(double value) {
  const double percent = 100 * value;
  return std::abs(percent) < 0.005 ? 0 : percent;
}

std::string columns_of(const std::optional<Neighbour>& neighbour) {
  if (!neighbour)
    return fmt::format("{:>9}{:>9}{:>9} ", "-", "-", "-");
  return fmt::format("{:>+9.2f}{:>+9.2f}{:>+9.2f}{}", hundredths(neighbour->time_change),
                     hundredths(neighbour->energy_change), hundredths(neighbour->distance_change),
                     neighbour->better          ? "*"
                     : !neighbour->keeps_bounds ? "!"
                                                : " ");
}

std::string without_trailing_spaces(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::string table(const std::vector<GearHolder>& holders, const Neighbourhood& neighbourhood) {
  std::string text =
      fmt::format("{:<14}{:>5}{:>26}  {:>26}\n{:<14}{:>5}{:>9}{:>9}{:>9} {:>9}{:>9}"
                  "{:>9}\n",
                  "", "", "one gear faster:", "one gear slower:", "", "gear", "time %", "energy %",
                  "distance", "time %", "energy %", "distance");
  for (std::size_t i = 0; i < std::min(most_lines, holders.size()); ++i) {
    const auto& [faster, slower] = neighbourhood.units[i];
    text += without_trailing_spaces(fmt::format("{:<14}{:>5}{}{}", shortened(holders[i].name, 13),
                                                holders[i].gear, columns_of(faster),
                                                columns_of(slower))) +
            "\n";
  }
  return text + more_lines(most_lines, holders.size());
}

/// By how much the objective is better, where the present gears keep the bounds.
std::string gain_in_words(const Neighbour& neighbour, const Neighbourhood& neighbourhood,
                          const Request& request) {
  const select::ObjectiveRow& objective = select::row_of(request.objective);
  const std::string gain =
      objective.unit.empty() ? fmt::format("{:.3g} points", 100 * neighbour.gain)
                             : fmt::format("{:.3g} %", 100 * neighbour.gain / neighbourhood.score);
  return fmt::format("{} {}{}", gain, objective.better, request.weight ? ", weighted" : "");
}

std::string verdict(const std::vector<GearHolder>& holders, const Neighbourhood& neighbourhood,
                    const Request& request) {
  const std::string aim = aim_in_words(request);
  const auto found = best(neighbourhood);
  const std::string broken =
      neighbourhood.keeps_bounds ? "" : "The present gears do not keep the bounds. ";
  if (!found)
    return fmt::format("{}No single step improves these gears: every node is best in its present "
                       "gear ({}).",
                       broken, aim);
  const auto& [unit, neighbour] = *found;
  const std::string step = fmt::format("{} in gear {} instead of {}", holders[unit].name,
                                       neighbour.gear, holders[unit].gear);
  if (neighbourhood.keeps_bounds)
    return fmt::format("The best single step ({}): {} gives {} (time {:+.2f} %, energy {:+.2f} %).",
                       aim, step, gain_in_words(neighbour, neighbourhood, request),
                       hundredths(neighbour.time_change), hundredths(neighbour.energy_change));
  return fmt::format("{}{} {} ({}).", broken, step,
                     neighbour.keeps_bounds ? "keeps them" : "comes nearer to them", aim);
}

bool any(const Neighbourhood& neighbourhood, bool (*what)(const Neighbour&)) {
  return std::ranges::any_of(neighbourhood.units, [=](const auto& unit) {
    return (unit.faster && what(*unit.faster)) || (unit.slower && what(*unit.slower));
  });
}

} // namespace

std::string shortened(const std::string& name, std::size_t columns) {
  return name.size() <= columns ? name : name.substr(0, columns - 2) + "..";
}

std::string more_lines(std::size_t listed, std::size_t all) {
  return all <= listed ? "" : fmt::format("... {} more (--json lists all of them)\n", all - listed);
}

std::string figures_in_words(const model::Prediction& prediction) {
  if (prediction.p_norm == 1 && prediction.e_norm == 1)
    return fmt::format("{:.6g} s and {:.6g} J, as in gear 0.", prediction.time.value(),
                       prediction.energy.value());
  return fmt::format("{:.6g} s and {:.6g} J: {} than in gear 0, with {} energy; distance {:.2f} "
                     "points.",
                     prediction.time.value(), prediction.energy.value(),
                     change(1 / prediction.p_norm - 1, "longer", "shorter"),
                     change(prediction.e_norm - 1, "more", "less"), 100 * prediction.distance);
}

std::string aim_in_words(const Request& request) {
  const select::Constraints& bounds = request.constraints;
  std::vector<std::string> within;
  if (bounds.max_slowdown)
    within.push_back(fmt::format("a slowdown of {:.4g} %", 100 * *bounds.max_slowdown));
  if (bounds.energy_budget)
    within.push_back(fmt::format("{:.6g} J", bounds.energy_budget->value()));
  if (bounds.average_power_cap)
    within.push_back(fmt::format("{:.6g} W on average", bounds.average_power_cap->value()));
  if (bounds.peak_power_cap)
    within.push_back(fmt::format("{:.6g} W at most", bounds.peak_power_cap->value()));
  return fmt::format("{}{}{}", select::name_of(request.objective), within.empty() ? "" : " within ",
                     fmt::join(within, ", "));
}

std::string neighbours_text(const std::vector<GearHolder>& holders,
                            const Neighbourhood& neighbourhood, const Request& request) {
  std::string text = "One node in the next gear, all others unchanged (distance in points)\n" +
                     table(holders, neighbourhood);
  if (any(neighbourhood, [](const Neighbour& n) { return n.better; }))
    text += "* better than the present gears\n";
  if (any(neighbourhood, [](const Neighbour& n) { return !n.better && !n.keeps_bounds; }))
    text += "! breaks a bound\n";
  return text + wrapped(verdict(holders, neighbourhood, request));
}

} // namespace hypermile::report
