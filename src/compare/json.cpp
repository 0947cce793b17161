#include "compare/text.hpp"
#include "compare/verdict.hpp"

#include <nlohmann/json.hpp>

namespace hypermile::compare {
namespace {

using nlohmann::ordered_json;

constexpr double hundred = 100;

ordered_json or_null(const std::string& text) {
  return text.empty() ? ordered_json() : ordered_json(text);
}

ordered_json in_percent(const std::optional<double>& share) {
  return share ? ordered_json(hundred * *share) : ordered_json();
}

/// `unit`: of the keys, "s" or "j".
ordered_json sample_json(const estimate::Sample& sample, const std::string& unit) {
  return {
      {"runs", sample.count},
      {"mean_" + unit, sample.mean},
      {"deviation_" + unit, sample.count < 2 ? ordered_json() : ordered_json(sample.deviation)}};
}

ordered_json quantity_json(const Quantity& quantity, const std::string& unit) {
  const auto end = [](const auto& interval, double estimate::Interval::*which) {
    return interval ? ordered_json((*interval).*which) : ordered_json();
  };
  const auto percent_of = [](const ordered_json& ratio) {
    return ratio.is_null() ? ordered_json() : ordered_json(hundred * (ratio.get<double>() - 1));
  };
  const auto low = &estimate::Interval::low;
  const auto high = &estimate::Interval::high;
  const auto shown = quantity.shown();
  return {{"a", sample_json(quantity.a, unit)},
          {"b", sample_json(quantity.b, unit)},
          {"difference_" + unit, quantity.more()},
          {"difference_low_" + unit, end(quantity.difference, low)},
          {"difference_high_" + unit, end(quantity.difference, high)},
          {"percent", hundred * (quantity.times() - 1)},
          {"percent_low", percent_of(end(quantity.ratio, low))},
          {"percent_high", percent_of(end(quantity.ratio, high))},
          {"shown", shown ? ordered_json(*shown) : ordered_json()}};
}

ordered_json ways_json(const std::vector<EnergyBy>& ways) {
  auto texts = ordered_json::array();
  for (const EnergyBy way : ways)
    texts.push_back(text_of(way));
  return texts;
}

ordered_json pair_json(const Pair& pair) {
  return {{"cell", or_null(pair.cell)},
          {"method_a", or_null(pair.method_a)},
          {"method_b", or_null(pair.method_b)},
          {"time", quantity_json(pair.time, "s")},
          {"energy", pair.energy ? quantity_json(*pair.energy, "j") : ordered_json()},
          {"energy_by_a", ways_json(pair.energy_a)},
          {"energy_by_b", ways_json(pair.energy_b)}};
}

ordered_json mean_json(const std::optional<Mean>& mean) {
  if (!mean)
    return nullptr;
  const auto& interval = mean->interval;
  return {
      {"percent", hundred * (mean->ratio - 1)},
      {"percent_low", interval ? ordered_json(hundred * (interval->low - 1)) : ordered_json()},
      {"percent_high", interval ? ordered_json(hundred * (interval->high - 1)) : ordered_json()}};
}

ordered_json means_json(const Comparison& comparison) {
  auto means = ordered_json::array();
  for (const CellsMean& mean : comparison.means)
    means.push_back({{"method_a", or_null(mean.method_a)},
                     {"method_b", or_null(mean.method_b)},
                     {"cells", mean.cells},
                     {"time", mean_json(mean.time)},
                     {"energy", mean_json(mean.energy)}});
  return means;
}

ordered_json limits_json(const Limits& limits, const std::vector<std::string>& exceeded) {
  return {{"max_slowdown_percent", in_percent(limits.max_slowdown)},
          {"max_more_energy_percent", in_percent(limits.max_more_energy)},
          {"proven", limits.proven},
          {"like_for_like", limits.like_for_like},
          {"kept", limits.any() ? ordered_json(exceeded.empty()) : ordered_json()},
          {"exceeded", exceeded}};
}

} // namespace

std::string comparison_json(const Comparison& comparison, const Limits& limits,
                            const std::vector<std::string>& exceeded) {
  ordered_json json{{"schema", "hypermile/comparison/1"},
                    {"verdict", verdict(comparison)},
                    {"confidence", comparison.confidence},
                    {"a", comparison.a},
                    {"b", comparison.b},
                    {"like_for_like", comparison.differences.empty()},
                    {"differences", ordered_json::array()},
                    {"remarks", comparison.remarks},
                    {"pairs", ordered_json::array()},
                    {"means", means_json(comparison)},
                    {"only_in_a", comparison.only_in_a},
                    {"only_in_b", comparison.only_in_b},
                    {"limits", limits_json(limits, exceeded)}};
  for (const Difference& difference : comparison.differences)
    json["differences"].push_back(
        {{"what", difference.what}, {"a", difference.a}, {"b", difference.b}});
  for (const Pair& pair : comparison.pairs)
    json["pairs"].push_back(pair_json(pair));
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

} // namespace hypermile::compare
