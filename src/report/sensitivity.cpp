#include "report/sensitivity.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace hypermile::report {
namespace {

using nlohmann::ordered_json;
using runtime::LearntSensitivity;

constexpr std::size_t most_parts = 4;

std::string number(const LearntSensitivity& learnt) {
  return fmt::format("{:.2f} ({:.2f} to {:.2f})", learnt.value, learnt.low, learnt.high);
}

/// The calls that the computation comes before.
std::string calls_of(const LearntSensitivity& learnt) {
  return learnt.function.empty() ? "elsewhere"
                                 : fmt::format("before {}/{}", learnt.function, learnt.place);
}

/// Of all computation, that which reacts in full included.
LearntSensitivity mean_of(const runtime::RunReport& run) {
  LearntSensitivity all{.function = "", .value = 0, .low = 0, .high = 0};
  for (const LearntSensitivity& each : run.sensitivities) {
    all.share += each.share;
    all.value += each.share * each.value;
    all.low += each.share * each.low;
    all.high += each.share * each.high;
  }
  const double rest = std::max(1 - all.share, 0.0);
  all.value += rest;
  all.low += rest;
  all.high += rest;
  return all;
}

} // namespace

std::string sensitivity_text(const runtime::RunReport& run) {
  if (run.sensitivities.empty())
    return "";
  std::string text = fmt::format("Computation reacts to the gear by {}", number(mean_of(run)));
  const bool has_parts =
      run.sensitivities.size() > 1 || !run.sensitivities.front().function.empty();
  for (std::size_t i = 0; has_parts && i < std::min(run.sensitivities.size(), most_parts); ++i) {
    const LearntSensitivity& part = run.sensitivities[i];
    text += fmt::format("{} {}, which is {:.0f} % of it, by {}", i == 0 ? ":" : ",", calls_of(part),
                        100 * part.share, number(part));
  }
  if (run.sensitivities.size() > most_parts)
    text += fmt::format(", and {} more", run.sensitivities.size() - most_parts);
  return text + ".";
}

ordered_json sensitivities_json(const runtime::RunReport& run) {
  ordered_json json = ordered_json::array();
  for (const LearntSensitivity& each : run.sensitivities)
    json.push_back(
        {{"function", each.function.empty() ? ordered_json() : ordered_json(each.function)},
         {"place", each.function.empty() ? ordered_json() : ordered_json(each.place)},
         {"share", each.share},
         {"sensitivity", each.value},
         {"low", each.low},
         {"high", each.high},
         {"phase", each.phase}});
  return json;
}

} // namespace hypermile::report
