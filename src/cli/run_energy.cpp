#include "cli/run_energy.hpp"

#include "backend/wattmeter/integration.hpp"
#include "machine/registry.hpp"
#include "units/error.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>

namespace hypermile::cli {
namespace {

namespace wattmeter = backend::wattmeter;

std::string utc(Seconds since_1970) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                     fmt::gmtime(static_cast<std::time_t>(since_1970.value())));
}

/// From the first to the last sample of any node.
std::string span_of(const wattmeter::PowerLog& log) {
  Seconds first = log.begin()->second.front().time;
  Seconds last = first;
  for (const auto& [node, samples] : log) {
    first = std::min(first, samples.front().time);
    last = std::max(last, samples.back().time);
  }
  return fmt::format("{} to {}", utc(first), utc(last));
}

/// As many steps as the node with most samples has, but not more than a page can show.
std::vector<report::PowerStep> power_of(const wattmeter::PowerLog& log,
                                        const launch::Ended& ended) {
  constexpr std::size_t most = 400;
  std::size_t parts = 1;
  for (const auto& [node, samples] : log) {
    const auto inside = std::ranges::count_if(samples, [&](const wattmeter::Sample& sample) {
      return sample.time >= ended.begin && sample.time <= ended.until;
    });
    parts = std::clamp(static_cast<std::size_t>(inside), parts, most);
  }
  std::vector<std::optional<Watts>> sums(parts, Watts{});
  for (const auto& [node, samples] : log) {
    const auto powers = wattmeter::mean_power(samples, ended.begin, ended.until,
                                              wattmeter::longest_gap(samples), parts);
    for (std::size_t i = 0; i < parts; ++i)
      sums[i] = sums[i] && powers[i] ? std::optional(*sums[i] + *powers[i]) : std::nullopt;
  }
  const Seconds length = (ended.until - ended.begin) / static_cast<double>(parts);
  std::vector<report::PowerStep> steps;
  for (std::size_t i = 0; i < parts; ++i)
    if (sums[i])
      steps.push_back(
          {length * static_cast<double>(i), length * static_cast<double>(i + 1), *sums[i]});
  return steps;
}

report::Job::External energy_of(const wattmeter::PowerLog& log, const launch::Ended& ended,
                                const std::string& file) {
  report::Job::External external{.energy = {}, .coverage = 1, .source = file};
  for (const auto& [node, samples] : log) {
    const auto part =
        wattmeter::integrate(samples, ended.begin, ended.until, wattmeter::longest_gap(samples));
    external.energy += part.energy;
    external.coverage = std::min(external.coverage, part.coverage());
  }
  if (external.coverage > 0) {
    external.power = power_of(log, ended);
    return external;
  }
  throw Error(ErrorKind::config,
              fmt::format("the samples of {} are of {}, the job ran from {} to {}", file,
                          span_of(log), utc(ended.begin), utc(ended.until)),
              "a meter that runs before and after the job, and whose clock is right");
}

} // namespace

std::string missing_log(const std::string& meter) {
  const auto file = machine::log_file(meter);
  std::error_code ignored;
  if (!file || std::filesystem::exists(*file, ignored))
    return "";
  return fmt::format("{} is not there yet; it is read when the job has ended", *file);
}

std::optional<report::Job::External> external_energy(const std::string& meter,
                                                     const launch::Ended& ended,
                                                     std::vector<std::string>& remarks) {
  const auto file = machine::log_file(meter);
  if (!file)
    return std::nullopt;
  try {
    return energy_of(machine::read_log(meter), ended, *file);
  } catch (const Error& error) {
    remarks.push_back(fmt::format("no energy of the wattmeter: {}", error.what()));
    return std::nullopt;
  }
}

} // namespace hypermile::cli
