#include "server/steps.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace apps::server {

double Steps::at(double seconds) const {
  double factor = 1;
  for (const Step& step : steps_)
    if (step.from <= seconds)
      factor = step.factor;
  return factor;
}

double Steps::largest() const {
  double largest = steps_.empty() || steps_.front().from > 0 ? 1 : 0;
  for (const Step& step : steps_)
    largest = std::max(largest, step.factor);
  return largest;
}

std::optional<double> read_number(std::string_view text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stopped == end && std::isfinite(number) ? std::optional(number)
                                                                         : std::nullopt;
}

std::optional<Steps> read_steps(std::string_view text) {
  constexpr double smallest_factor = 0.001;
  constexpr double largest_factor = 1000;
  std::vector<Steps::Step> steps;
  for (;;) {
    const std::string_view step = text.substr(0, text.find(','));
    const auto colon = step.find(':');
    if (colon == std::string_view::npos)
      return std::nullopt;
    const auto from = read_number(step.substr(0, colon));
    const auto factor = read_number(step.substr(colon + 1));
    if (!from || !factor || *from < 0 || *factor < smallest_factor || *factor > largest_factor ||
        (!steps.empty() && *from <= steps.back().from))
      return std::nullopt;
    steps.push_back({*from, *factor});
    if (step.size() == text.size())
      return Steps(std::move(steps));
    text.remove_prefix(step.size() + 1);
  }
}

} // namespace apps::server
