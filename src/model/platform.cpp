#include "model/platform.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <numeric>

#include <fnmatch.h>

namespace hypermile::model {
namespace {

std::size_t cores_of(const Platform& platform) {
  std::size_t cores = 0;
  for (const auto& [type, count] : platform.groups)
    cores += count * type.cores;
  return cores;
}

/// Cumulated rounding: after each group the nodes handed out are the exact share, rounded.
NodeList scaled(const Platform& platform, std::size_t ranks) {
  const std::size_t cores = cores_of(platform);
  NodeList nodes;
  std::size_t cores_before = 0;
  std::size_t placed = 0;
  for (const auto& [type, count] : platform.groups) {
    cores_before += count * type.cores;
    const std::size_t wanted = (ranks * cores_before * 2 + cores) / (cores * 2);
    for (; placed < wanted; placed += type.cores)
      nodes.push_back(&type);
  }
  return nodes;
}

NodeList fixed(const Platform& platform, std::size_t ranks) {
  NodeList nodes;
  std::size_t placed = 0;
  for (const auto& [type, count] : platform.groups)
    for (std::size_t i = 0; i < count && placed < ranks; ++i, placed += type.cores)
      nodes.push_back(&type);
  if (placed < ranks)
    throw Error(ErrorKind::config,
                fmt::format("{} ranks do not fit on platform '{}', which has {} cores", ranks,
                            platform.name, cores_of(platform)),
                "fewer ranks (-n) or a larger platform");
  return nodes;
}

} // namespace

std::vector<GearPower> cubic_power(const GearTable& gears, Watts dynamic_power,
                                   Watts static_power) {
  std::vector<GearPower> power;
  for (Gear g = 0; g < gears.size(); ++g) {
    const Watts computing = static_power + dynamic_power / std::pow(gears.scale(g), 3);
    power.push_back({computing, static_power, static_power});
  }
  return power;
}

GearTable gear_grid(Hertz fastest, Hertz slowest, Hertz step) {
  const double steps = (fastest - slowest) / step;
  if (!(step.value() > 0) || !(steps >= 0) || steps > 1000)
    throw Error(ErrorKind::model,
                fmt::format("no gears lead from {} GHz to {} GHz in steps of {} GHz",
                            fastest.value() / 1e9, slowest.value() / 1e9, step.value() / 1e9),
                "max >= min > 0, a positive step, and at most 1000 gears");
  // A grid point within a millionth of a step of the end is the end.
  constexpr double tolerance = 1e-6;
  std::vector<Hertz> frequencies;
  for (int i = 0; i < steps - tolerance; ++i)
    frequencies.push_back(fastest - step * i);
  frequencies.push_back(slowest);
  return GearTable{std::move(frequencies)};
}

NodeList place(const Platform& platform, std::size_t ranks) {
  return platform.scalable ? scaled(platform, ranks) : fixed(platform, ranks);
}

const NodeType* type_named(const Platform& platform, const std::string& name) {
  for (const Platform::Group& group : platform.groups)
    if (group.type.name == name)
      return &group.type;
  return nullptr;
}

const NodeType* type_of_host(const Platform& platform, const std::string& host) {
  for (const auto& [type, count] : platform.groups)
    for (const std::string& pattern : type.hosts)
      if (::fnmatch(pattern.c_str(), host.c_str(), 0) == 0)
        return &type;
  const bool only = platform.groups.size() == 1 && platform.groups[0].type.hosts.empty();
  return only ? &platform.groups[0].type : nullptr;
}

std::vector<GearPower> spinning(const NodeType& type, std::size_t ranks) {
  const double busy = static_cast<double>(ranks) / static_cast<double>(type.cores);
  std::vector<GearPower> power = type.power;
  for (GearPower& gear : power)
    gear.computing = gear.waiting = gear.waiting + (gear.computing - gear.waiting) * busy;
  return power;
}

std::vector<std::string> names_of(const NodeList& nodes) {
  std::map<const NodeType*, std::size_t> numbers;
  std::vector<std::string> names;
  for (const NodeType* type : nodes)
    names.push_back(fmt::format("{}-{}", type->name, numbers[type]++));
  return names;
}

} // namespace hypermile::model
