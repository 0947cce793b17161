#include "compare/words.hpp"

#include <fmt/format.h>

#include <cmath>

namespace hypermile::compare {

std::string percent_text(double share) {
  const double value = 100 * share;
  constexpr double smallest = 0.001; // less is rounding
  if (std::abs(value) < smallest)
    return "0";
  constexpr double two_digits = 9.95;
  return std::abs(value) < two_digits ? fmt::format("{:.2g}", value) : fmt::format("{:.1f}", value);
}

std::string signed_percent_text(double share) {
  const std::string text = percent_text(share);
  return text.front() == '-' || text == "0" ? text : "+" + text;
}

std::string confidence_text(double confidence) { return fmt::format("{:.4g} %", 100 * confidence); }

std::string change_text(double ratio, const std::optional<estimate::Interval>& interval,
                        double confidence, const std::string& more, const std::string& less) {
  const double sign = ratio < 1 ? -1 : 1;
  std::string text =
      fmt::format("{} % {}", percent_text(sign * (ratio - 1)), ratio < 1 ? less : more);
  if (!interval)
    return text;
  const double low = sign * ((ratio < 1 ? interval->high : interval->low) - 1);
  const double high = sign * ((ratio < 1 ? interval->low : interval->high) - 1);
  return text + fmt::format(" ({}: {} to {} %)", confidence_text(confidence), percent_text(low),
                            percent_text(high));
}

} // namespace hypermile::compare
