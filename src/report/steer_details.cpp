#include "report/steer_details.hpp"

#include "io/text_file.hpp"
#include "report/steer_samples.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <span>
#include <vector>

namespace hypermile::report {
namespace {

using nlohmann::ordered_json;
using Samples = std::span<const SteerSample>;

constexpr std::size_t most_steps = 600;
constexpr std::size_t most_decisions = 300;

template <class Value> ordered_json known_or_null(const std::optional<Value>& value) {
  return value ? ordered_json(*value) : ordered_json();
}

double length_of(Samples samples) {
  double length = 0;
  for (const SteerSample& sample : samples)
    length += sample.length_s;
  return length;
}

/// Weighted with the lengths of the samples. `value` may return nothing: then, for any of them,
/// there is no mean.
template <class Value> std::optional<double> mean(Samples samples, const Value& value) {
  double sum = 0;
  for (const SteerSample& sample : samples) {
    const std::optional<double> one = value(sample);
    if (!one)
      return std::nullopt;
    sum += *one * sample.length_s;
  }
  const double length = length_of(samples);
  return length > 0 ? std::optional(sum / length) : std::nullopt;
}

std::optional<double> mean_power(Samples samples) {
  return mean(samples, [](const SteerSample& one) { return std::optional(one.power_w); });
}

std::optional<double> mean_throughput(Samples samples) {
  return mean(samples, [](const SteerSample& one) { return std::optional(one.throughput_per_s); });
}

/// The time of those samples for which `is` holds.
template <class Is> double time_where(Samples samples, const Is& is) {
  double time = 0;
  for (const SteerSample& sample : samples)
    if (is(sample))
      time += sample.length_s;
  return time;
}

bool is_steady(const SteerSample& sample) { return sample.mode == "steady"; }

ordered_json sampled_step_json(Samples samples) {
  const SteerSample& first = samples.front();
  const auto arrivals = [](const SteerSample& one) { return one.arrivals_per_s; };
  const auto cores = [](const SteerSample& one) {
    return std::optional(static_cast<double>(one.settings.cores));
  };
  const auto frequency = [](const SteerSample& one) { return one.settings.frequency_ghz; };
  return {{"begin_s", std::max(0.0, first.time_s - first.length_s)},
          {"end_s", samples.back().time_s},
          {"throughput_per_s", known_or_null(mean_throughput(samples))},
          {"arrivals_per_s", known_or_null(mean(samples, arrivals))},
          {"power_w", known_or_null(mean_power(samples))},
          {"cores", known_or_null(mean(samples, cores))},
          {"frequency_ghz", known_or_null(mean(samples, frequency))},
          {"steady", std::ranges::all_of(samples, is_steady)}};
}

ordered_json sampled_timeline_json(Samples samples) {
  const std::size_t per_step = (samples.size() + most_steps - 1) / most_steps;
  ordered_json steps = ordered_json::array();
  for (std::size_t i = 0; i < samples.size(); i += per_step)
    steps.push_back(sampled_step_json(samples.subspan(i, std::min(per_step, samples.size() - i))));
  return {{"samples", samples.size()}, {"samples_per_step", per_step}, {"steps", std::move(steps)}};
}

ordered_json sampled_settings_json(const SampledSettings& settings) {
  return {{"cores", settings.cores},
          {"frequency_ghz", known_or_null(settings.frequency_ghz)},
          {"setting", settings.setting.empty() ? ordered_json() : ordered_json(settings.setting)},
          {"placement", settings.placement}};
}

ordered_json sampled_configuration_json(Samples samples, const SampledSettings& at_end) {
  ordered_json json = sampled_settings_json(samples.front().settings);
  json["at_end"] = samples.front().settings == at_end;
  const auto keeps = [](const SteerSample& one) { return one.keeps_bounds; };
  json["samples"] = samples.size();
  json["time_s"] = length_of(samples);
  json["steady_s"] = time_where(samples, is_steady);
  json["kept_s"] = time_where(samples, keeps);
  json["throughput_per_s"] = known_or_null(mean_throughput(samples));
  json["power_w"] = known_or_null(mean_power(samples));
  return json;
}

/// What came of each, all its samples together.
ordered_json configurations_json(Samples samples) {
  std::vector<std::vector<SteerSample>> configurations;
  for (const SteerSample& sample : samples) {
    const auto same = [&](const auto& of) { return of.front().settings == sample.settings; };
    const auto found = std::ranges::find_if(configurations, same);
    if (found != configurations.end())
      found->push_back(sample);
    else
      configurations.push_back({sample});
  }
  ordered_json all = ordered_json::array();
  for (const auto& configuration : configurations)
    all.push_back(sampled_configuration_json(configuration, samples.back().next));
  return all;
}

ordered_json sampled_decisions_json(Samples samples, std::size_t& count) {
  ordered_json all = ordered_json::array();
  count = 0;
  for (const SteerSample& sample : samples) {
    if (sample.decision.empty() || ++count > most_decisions)
      continue;
    ordered_json json{{"time_s", sample.time_s}, {"mode", sample.mode}};
    json.update(sampled_settings_json(sample.next));
    json["decision"] = sample.decision;
    all.push_back(std::move(json));
  }
  return all;
}

} // namespace

ordered_json steer_details(const std::string& folder) {
  ordered_json details{{"timeline", nullptr},
                       {"configurations", ordered_json::array()},
                       {"decisions", ordered_json::array()},
                       {"decision_count", 0},
                       {"missing", ordered_json::array()}};
  const std::string file = (std::filesystem::path(folder) / steer_timeline_name).string();
  if (!std::filesystem::exists(file)) {
    details["missing"].push_back(
        fmt::format("Throughput, power and settings over time: the file {} is not there.",
                    steer_timeline_name));
    return details;
  }
  const std::vector<SteerSample> samples = read_steer_samples(io::read_text_file(file), file);
  if (samples.empty()) {
    details["missing"].push_back(fmt::format(
        "Throughput, power and settings over time: {} has no sample.", steer_timeline_name));
    return details;
  }
  std::size_t decisions = 0;
  details["timeline"] = sampled_timeline_json(samples);
  details["configurations"] = configurations_json(samples);
  details["decisions"] = sampled_decisions_json(samples, decisions);
  details["decision_count"] = decisions;
  return details;
}

} // namespace hypermile::report
