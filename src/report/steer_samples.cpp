#include "report/steer_samples.hpp"

#include "units/csv.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hypermile::report {
namespace {

std::optional<double> number_or_none(const CsvReader& csv, std::string_view column,
                                     std::string_view what) {
  return csv.field(column).empty() ? std::nullopt : std::optional(csv.number(column, what));
}

double at_least_0(const CsvReader& csv, std::string_view column, std::string_view what) {
  const double value = csv.number(column, what);
  if (value < 0)
    csv.fail(fmt::format("the {} of {} is less than 0", column, value));
  return value;
}

std::string one_of(const CsvReader& csv, std::string_view column,
                   const std::vector<std::string_view>& words) {
  const std::string_view word = csv.field(column);
  if (std::ranges::find(words, word) == words.end())
    csv.fail(fmt::format("'{}' is no {} that is known", word, column));
  return std::string(word);
}

/// Of the columns cores, frequency_ghz and placement, or those with `prefix` before their names.
SampledSettings settings_of(const CsvReader& csv, const std::string& prefix) {
  return {.cores = csv.count(prefix + "cores", "a number of cores"),
          .frequency_ghz = number_or_none(csv, prefix + "frequency_ghz", "a frequency in GHz"),
          .setting = std::string(csv.field(prefix + "setting")),
          .placement = one_of(csv, prefix + "placement", {"linear", "interleaved"})};
}

SteerSample sample_of(const CsvReader& csv) {
  SteerSample sample;
  sample.time_s = at_least_0(csv, "time_s", "a time in seconds");
  sample.length_s = at_least_0(csv, "length_s", "a time in seconds");
  sample.mode = one_of(csv, "mode", {"calibrating", "choosing", "steady"});
  sample.settings = settings_of(csv, "");
  sample.throughput_per_s = at_least_0(csv, "throughput_per_s", "items per second");
  sample.arrivals_per_s = number_or_none(csv, "arrivals_per_s", "items per second");
  sample.power_w = at_least_0(csv, "power_w", "a power in watts");
  sample.keeps_bounds = one_of(csv, "keeps_bounds", {"0", "1"}) == "1";
  sample.next = settings_of(csv, "next_");
  sample.decision = csv.field("decision");
  return sample;
}

} // namespace

std::vector<SteerSample> read_steer_samples(std::string_view text, const std::string& file) {
  CsvReader csv(text, file,
                {.needed = {"time_s", "length_s", "mode", "phase", "cores", "frequency_ghz",
                            "setting", "placement", "throughput_per_s", "arrivals_per_s",
                            "capacity_per_s", "load", "power_w", "keeps_bounds", "next_cores",
                            "next_frequency_ghz", "next_setting", "next_placement", "decision"},
                 .example = "time_s,length_s,mode,phase,cores,..."});
  std::vector<SteerSample> samples;
  while (csv.next()) {
    samples.push_back(sample_of(csv));
    if (samples.size() > 1 && samples.back().time_s < samples[samples.size() - 2].time_s)
      csv.fail("this sample is earlier than the one before");
  }
  return samples;
}

} // namespace hypermile::report
