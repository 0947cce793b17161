#include "report/power_over_time.hpp"

#include "report/job_ratios.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace hypermile::report {
namespace {

using runtime::EnergyReading;
using runtime::RankReport;

constexpr std::size_t most_power_steps = 400;

/// Of one node, ascending; empty where some of them is missing.
std::vector<EnergyReading> readings_of(const RankReport& rank) {
  std::vector<EnergyReading> all = rank.readings;
  for (const auto& change : rank.changes) {
    if (!change.energy)
      return {};
    all.push_back({change.time, *change.energy});
  }
  if (!rank.energy)
    return {};
  all.push_back({rank.time, *rank.energy});
  std::ranges::stable_sort(all, {}, &EnergyReading::time);
  std::vector<EnergyReading> readings{{Seconds{}, Joules{}}};
  for (const EnergyReading& reading : all)
    if (reading.time > readings.back().time)
      readings.push_back(reading);
  return readings;
}

std::vector<std::vector<EnergyReading>> readings_of_nodes(const runtime::RunReport& run) {
  std::vector<std::vector<EnergyReading>> nodes;
  const Leaders leaders(run);
  for (const RankReport* const leader : leaders.all()) {
    nodes.push_back(readings_of(*leader));
    if (nodes.back().empty())
      return {};
  }
  return nodes;
}

/// All moments of readings, or as many as there may be, equally far from each other.
std::vector<Seconds> moments_of(const std::vector<std::vector<EnergyReading>>& nodes) {
  std::vector<Seconds> moments;
  for (const auto& readings : nodes)
    for (const EnergyReading& reading : readings)
      moments.push_back(reading.time);
  std::ranges::sort(moments);
  moments.erase(std::unique(moments.begin(), moments.end()), moments.end());
  if (moments.size() <= most_power_steps + 1)
    return moments;
  const Seconds end = moments.back();
  moments.resize(most_power_steps + 1);
  for (std::size_t i = 0; i <= most_power_steps; ++i)
    moments[i] = end * (static_cast<double>(i) / static_cast<double>(most_power_steps));
  return moments;
}

/// Adds what the node had used up at each moment; between readings its power is constant.
void add_energies(const std::vector<EnergyReading>& readings, const std::vector<Seconds>& moments,
                  std::vector<Joules>& energies) {
  std::size_t next = 0;
  for (std::size_t i = 0; i < moments.size(); ++i) {
    while (next < readings.size() && readings[next].time <= moments[i])
      ++next;
    const EnergyReading& before = readings[next - 1];
    Joules energy = before.energy;
    if (next < readings.size())
      energy += (readings[next].energy - before.energy) *
                ((moments[i] - before.time) / (readings[next].time - before.time));
    energies[i] += energy;
  }
}

} // namespace

std::vector<PowerStep> power_over_time(const runtime::RunReport& run) {
  const auto nodes = readings_of_nodes(run);
  if (nodes.empty())
    return {};
  const auto moments = moments_of(nodes);
  std::vector<Joules> energies(moments.size());
  for (const auto& readings : nodes)
    add_energies(readings, moments, energies);
  std::vector<PowerStep> steps;
  for (std::size_t i = 1; i < moments.size(); ++i)
    steps.push_back({moments[i - 1], moments[i],
                     (energies[i] - energies[i - 1]) / (moments[i] - moments[i - 1])});
  return steps;
}

nlohmann::ordered_json power_steps_json(const std::vector<PowerStep>& steps) {
  auto array = nlohmann::ordered_json::array();
  for (const PowerStep& step : steps)
    array.push_back({{"begin_s", step.begin.value()},
                     {"end_s", step.end.value()},
                     {"power_w", step.power.value()}});
  return array;
}

nlohmann::ordered_json power_json(const runtime::RunReport& run) {
  return power_steps_json(power_over_time(run));
}

} // namespace hypermile::report
