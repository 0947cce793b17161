#include "compare/text.hpp"

#include "compare/verdict.hpp"
#include "compare/words.hpp"
#include "units/wrapped.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace hypermile::compare {
namespace {

/// More pairs have a line each.
constexpr std::size_t most_in_full = 4;
constexpr std::size_t name_width = 36;

std::string shortened(const std::string& text) {
  constexpr std::size_t longest = 200;
  return text.size() <= longest ? text : text.substr(0, longest) + "... (--json has all)";
}

std::string differences_text(const Comparison& comparison) {
  if (comparison.differences.empty())
    return "";
  constexpr std::size_t width = 26;
  std::string text = "\nNot like for like:\n";
  for (const Difference& difference : comparison.differences)
    text += labelled("  " + difference.what,
                     fmt::format("A: {}, B: {}", shortened(difference.a), shortened(difference.b)),
                     width);
  return text;
}

/// "-0.81 to 0.3 s"; empty: there is none.
std::string range(const std::optional<estimate::Interval>& interval, const char* unit) {
  return interval ? fmt::format("{:.3g} to {:.3g} {}", interval->low, interval->high, unit) : "";
}

std::string percent_range(const std::optional<estimate::Interval>& ratio) {
  return ratio ? fmt::format("{} to {}", signed_percent_text(ratio->low - 1),
                             signed_percent_text(ratio->high - 1))
               : "";
}

std::string without_trailing_blanks(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

/// `absolute`: false where only the ratio means something.
std::string quantity_lines(const char* name, const Quantity& quantity, const char* unit,
                           bool absolute) {
  const auto value = [&](double number) { return fmt::format("{:.6g} {}", number, unit); };
  const std::string percent = signed_percent_text(quantity.times() - 1) + " %";
  const std::string in_percent =
      quantity.ratio ? percent_range(quantity.ratio) + " %" : std::string();
  if (!absolute)
    return without_trailing_blanks(
        fmt::format("{:<8}{:>14}{:>14}{:>14}   {}", name, "", "", percent, in_percent));
  return without_trailing_blanks(fmt::format(
             "{:<8}{:>14}{:>14}{:>14}   {}", name, value(quantity.a.mean), value(quantity.b.mean),
             fmt::format("{:+.3g} {}", quantity.more(), unit), range(quantity.difference, unit))) +
         without_trailing_blanks(
             fmt::format("{:<8}{:>14}{:>14}{:>14}   {}", "", "", "", percent, in_percent));
}

bool is_assumed(const std::vector<EnergyBy>& ways) {
  return std::ranges::find(ways, EnergyBy::assumed_power) != ways.end();
}

std::string joined(const std::vector<EnergyBy>& ways) {
  std::vector<std::string> texts;
  for (const EnergyBy way : ways)
    texts.push_back(text_of(way));
  return fmt::format("{}", fmt::join(texts, " or "));
}

std::string energy_note(const Pair& pair) {
  if (!pair.energy)
    return "";
  const std::string how =
      pair.energy_a == pair.energy_b
          ? joined(pair.energy_a)
          : fmt::format("A {}, B {}", joined(pair.energy_a), joined(pair.energy_b));
  const bool ratio_only = is_assumed(pair.energy_a) || is_assumed(pair.energy_b);
  return wrapped("Energy: " + how + (ratio_only ? "; only its ratio means something." : "."));
}

std::string runs_text(std::size_t count) {
  return count == 1 ? "1 run" : fmt::format("{} runs", count);
}

std::string in_full(const Pair& pair, const Comparison& comparison) {
  const std::string name = name_of(pair);
  std::string text = comparison.pairs.size() > 1 ? "\n" + name + "\n" : "\n";
  const bool has_interval = pair.time.difference.has_value();
  text += without_trailing_blanks(
      fmt::format("{:<8}{:>14}{:>14}{:>14}   {}", "", "A", "B", "B - A",
                  has_interval ? confidence_text(comparison.confidence) + " interval" : ""));
  text += without_trailing_blanks(fmt::format("{:<8}{:>14}{:>14}", "", runs_text(pair.time.a.count),
                                              runs_text(pair.time.b.count)));
  text += quantity_lines("time", pair.time, "s", true);
  if (pair.energy)
    text += quantity_lines("energy", *pair.energy, "J",
                           !is_assumed(pair.energy_a) && !is_assumed(pair.energy_b));
  return text + energy_note(pair);
}

std::string in_a_line(const Pair& pair) {
  const auto cell = [](const std::optional<Quantity>& quantity) {
    if (!quantity)
      return std::string("not known");
    const std::string percent = signed_percent_text(quantity->times() - 1);
    return quantity->ratio ? fmt::format("{} ({})", percent, percent_range(quantity->ratio))
                           : percent;
  };
  const std::string name = name_of(pair);
  const std::string cells = fmt::format("{:<22}{}", cell(pair.time), cell(pair.energy));
  if (name.size() + 1 > name_width)
    return fmt::format("{}\n{:<{}}{}\n", name, "", name_width, cells);
  return fmt::format("{:<{}}{}\n", name, name_width, cells);
}

std::string pairs_text(const Comparison& comparison) {
  std::string text;
  if (comparison.pairs.size() <= most_in_full) {
    for (const Pair& pair : comparison.pairs)
      text += in_full(pair, comparison);
    return text;
  }
  text = fmt::format("\n{:<{}}{:<22}{}\n", "B - A in % of A", name_width, "time", "energy");
  for (const Pair& pair : comparison.pairs)
    text += in_a_line(pair);
  return text + energy_note(comparison.pairs.front());
}

std::string only_text(const char* side, const std::vector<std::string>& names) {
  constexpr std::size_t most = 5;
  if (names.empty())
    return "";
  const auto shown = std::vector<std::string>(
      names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), most)));
  return wrapped(
      fmt::format("Only in {}, and not compared: {}{}.", side, fmt::join(shown, "; "),
                  names.size() > most ? fmt::format("; and {} more", names.size() - most) : ""));
}

std::string how_text(const Comparison& comparison) {
  const bool any_interval = std::ranges::any_of(
      comparison.pairs, [](const Pair& pair) { return pair.time.difference.has_value(); });
  if (!any_interval)
    return "";
  return wrapped(
      fmt::format("Intervals hold the true difference in {} of cases, if runs vary by chance "
                  "alone: Welch's of the difference, Fieller's of the percentage.",
                  confidence_text(comparison.confidence)));
}

std::string limits_text(const Limits& limits, const std::vector<std::string>& exceeded) {
  if (!limits.any())
    return "";
  if (exceeded.empty())
    return "\nLimits: kept.\n";
  std::string text = "\nLimits: not kept.\n";
  for (const std::string& sentence : exceeded)
    text += labelled("  -", sentence, 4);
  return text;
}

} // namespace

std::string comparison_text(const Comparison& comparison, const Limits& limits,
                            const std::vector<std::string>& exceeded) {
  std::string text;
  for (const std::string& sentence : verdict(comparison))
    text += wrapped(sentence);
  text += limits_text(limits, exceeded);
  text += differences_text(comparison);
  if (!comparison.remarks.empty())
    text += "\n";
  for (const std::string& remark : comparison.remarks)
    text += wrapped(remark);
  text += pairs_text(comparison) + "\n";
  text += only_text("A", comparison.only_in_a) + only_text("B", comparison.only_in_b);
  text += labelled("A", fmt::format("{}", fmt::join(comparison.a, ", ")), 3);
  text += labelled("B", fmt::format("{}", fmt::join(comparison.b, ", ")), 3);
  return text + how_text(comparison);
}

} // namespace hypermile::compare
