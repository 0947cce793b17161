#include "compare/verdict.hpp"

#include "compare/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hypermile::compare {
namespace {

/// What is printed as 0.00 is nothing.
constexpr double nothing = 0.00005;

/// Something that B took of, and what is known of it.
struct Effect {
  double ratio;
  std::optional<estimate::Interval> interval;
  std::optional<bool> shown;
};

Effect effect_of(const Quantity& quantity) {
  return {quantity.times(), quantity.ratio, quantity.shown()};
}

Effect effect_of(const Mean& mean) {
  if (!mean.interval)
    return {mean.ratio, std::nullopt, std::nullopt};
  return {mean.ratio, mean.interval, mean.interval->low > 1 || mean.interval->high < 1};
}

bool is_nothing(const Effect& effect) { return std::abs(effect.ratio - 1) < nothing; }

/// Runs that do not vary, and are alike, hide nothing.
bool is_hidden(const Effect& effect) {
  const bool varies = !effect.interval || effect.interval->low != effect.interval->high;
  return effect.shown && !*effect.shown && varies;
}

/// "(95 %: -1.2 to 3.4 %)" of a difference that these runs do not show.
std::string hidden_range(const Effect& effect, double confidence) {
  if (!effect.interval)
    return "(they vary too much for an interval in per cent)";
  return fmt::format("({}: {} to {} %)", confidence_text(confidence),
                     signed_percent_text(effect.interval->low - 1),
                     signed_percent_text(effect.interval->high - 1));
}

std::string energy_clause(const Effect& energy, double confidence) {
  if (is_hidden(energy))
    return "used as much energy as far as can be told " + hidden_range(energy, confidence);
  if (is_nothing(energy))
    return "used as much energy";
  return "used " +
         change_text(energy.ratio, energy.interval, confidence, "more energy", "less energy");
}

std::string time_clause(const Effect& time, double confidence) {
  if (is_hidden(time))
    return "took as long as far as can be told " + hidden_range(time, confidence);
  if (is_nothing(time))
    return "took as long";
  return "took " + change_text(time.ratio, time.interval, confidence, "longer", "less time");
}

/// Without the name of what it is about.
std::string sentence(const Effect& time, const std::optional<Effect>& energy, double confidence,
                     const std::string& these) {
  if (is_hidden(time) && (!energy || is_hidden(*energy))) {
    const std::string of_energy =
        energy ? fmt::format("energy {}, ", hidden_range(*energy, confidence)) : "";
    return fmt::format("no difference that these {} can show: {}time {}{}", these, of_energy,
                       hidden_range(time, confidence), energy ? "." : "; energy is not known.");
  }
  if (!energy)
    return fmt::format("B {}; energy is not known.", time_clause(time, confidence));
  return fmt::format("B {} and {}.", energy_clause(*energy, confidence),
                     time_clause(time, confidence));
}

std::string named(const std::string& name, std::string sentence) {
  if (!name.empty())
    return name + ": " + sentence;
  sentence.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence.front())));
  return sentence;
}

std::string of_pair(const Pair& pair, double confidence, const std::string& name) {
  return named(name, sentence(effect_of(pair.time),
                              pair.energy ? std::optional(effect_of(*pair.energy)) : std::nullopt,
                              confidence, "runs"));
}

std::string of_mean(const CellsMean& mean, double confidence) {
  Pair names;
  names.method_a = mean.method_a;
  names.method_b = mean.method_b;
  const std::string about = fmt::format("{}{}on average over {} cells", name_of(names),
                                        name_of(names).empty() ? "" : ", ", mean.cells);
  return named(about, sentence(effect_of(mean.time),
                               mean.energy ? std::optional(effect_of(*mean.energy)) : std::nullopt,
                               confidence, "cells"));
}

bool leaves_chance(const Pair& pair) {
  return !pair.of_one_simulation && (pair.time.a.count < 2 || pair.time.b.count < 2);
}

} // namespace

std::vector<std::string> verdict(const Comparison& comparison) {
  std::vector<std::string> sentences;
  for (const CellsMean& mean : comparison.means)
    if (mean.cells > 1)
      sentences.push_back(of_mean(mean, comparison.confidence));
  if (sentences.empty())
    for (const Pair& pair : comparison.pairs)
      sentences.push_back(of_pair(
          pair, comparison.confidence,
          comparison.pairs.size() == 1 && pair.method_a == pair.method_b ? "" : name_of(pair)));
  if (std::ranges::any_of(comparison.pairs, leaves_chance))
    sentences.emplace_back(
        comparison.means.empty()
            ? "Whether that is chance cannot be told from one run: give several of A and of B."
            : "Of one run in a cell it cannot be told what is chance: repeat the cells.");
  return sentences;
}

} // namespace hypermile::compare
