#include "steer/space.hpp"

#include "units/error.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace hypermile::steer {
namespace {

void check(const NodeShape& node) {
  if (node.cores() == 0)
    throw Error(ErrorKind::model, "a node without cores has no configurations");
  if (!node.voltage)
    return;
  const bool fits = node.voltage->size() == node.cores_per_socket + 1 &&
                    std::ranges::all_of(*node.voltage, [&](const std::vector<double>& row) {
                      return row.size() == node.gears.size();
                    });
  if (!fits)
    throw Error(ErrorKind::model, "the voltage table does not fit the node",
                "a voltage for each gear and each number of active cores of a socket, from 0 on");
}

/// Whether interleaved cores are as many of each socket as linear ones.
bool is_linear_too(const NodeShape& node, std::size_t cores) {
  for (std::size_t socket = 0; socket < node.sockets; ++socket)
    if (active_cores(node, {cores, 0, model::Placement::interleaved}, socket) !=
        active_cores(node, {cores, 0, model::Placement::linear}, socket))
      return false;
  return true;
}

} // namespace

double NodeShape::volts(std::size_t active, model::Gear gear) const {
  constexpr double at_frequency_0 = 0.6;
  if (voltage)
    return (*voltage)[active][gear];
  return at_frequency_0 + (1 - at_frequency_0) / gears.scale(gear);
}

std::size_t active_sockets(const NodeShape& node, const Configuration& configuration) {
  if (configuration.placement == model::Placement::interleaved)
    return std::min(configuration.cores, node.sockets);
  return (configuration.cores + node.cores_per_socket - 1) / node.cores_per_socket;
}

std::size_t active_cores(const NodeShape& node, const Configuration& configuration,
                         std::size_t socket) {
  const std::size_t cores = configuration.cores;
  if (configuration.placement == model::Placement::interleaved)
    return cores / node.sockets + (socket < cores % node.sockets ? 1 : 0);
  const std::size_t before = socket * node.cores_per_socket;
  return cores <= before ? 0 : std::min(cores - before, node.cores_per_socket);
}

std::optional<std::size_t> Space::find(const Configuration& configuration) const {
  const auto found = std::ranges::find(configurations, configuration);
  if (found == configurations.end())
    return std::nullopt;
  return static_cast<std::size_t>(found - configurations.begin());
}

Space all_configurations(const NodeShape& node) {
  check(node);
  Space space{node, {}};
  for (const auto placement : {model::Placement::linear, model::Placement::interleaved})
    for (std::size_t cores = 1; cores <= node.cores(); ++cores) {
      if (placement == model::Placement::interleaved && is_linear_too(node, cores))
        continue;
      for (model::Gear gear = 0; gear < node.gears.size(); ++gear)
        space.configurations.push_back({cores, gear, placement});
    }
  return space;
}

std::size_t wide_and_slow(const Space& space) {
  const auto rank = [](const Configuration& configuration) {
    return std::tuple(configuration.cores, configuration.gear,
                      configuration.placement == model::Placement::linear);
  };
  const auto widest = std::ranges::max_element(space.configurations, {}, rank);
  return static_cast<std::size_t>(widest - space.configurations.begin());
}

} // namespace hypermile::steer
