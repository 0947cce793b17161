#pragma once

#include "model/gear.hpp"
#include "model/placement.hpp"
#include "units/quantity.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

/// Steering a program on one node: which configuration of it meets the user's bounds at the least
/// cost, learnt while the program runs. [N16]
namespace hypermile::steer {

/// What a program runs on: the first `cores` cores in the order of `placement`, all in one gear.
struct Configuration {
  std::size_t cores = 1;
  model::Gear gear = 0;
  model::Placement placement = model::Placement::linear;

  bool operator==(const Configuration&) const = default;
};

/// Core voltage in volts, by the number of active cores in a socket (0 to all) and the gear.
using VoltageTable = std::vector<std::vector<double>>;

/// A node as far as configurations go.
struct NodeShape {
  std::size_t sockets = 1;
  std::size_t cores_per_socket = 1;
  model::GearTable gears;
  /// None: a voltage that falls linearly with the frequency, to 0.6 of the highest at frequency 0,
  /// is assumed. Only ratios matter.
  std::optional<VoltageTable> voltage{};
  /// By gear, what it sets where that is another thing than a frequency, or more: "85 W". Empty:
  /// frequencies. `gears` then has the speeds that are expected.
  std::vector<std::string> settings{};
  bool frequencies_known = true; ///< false: `gears` has speeds, and no frequencies

  [[nodiscard]] std::size_t cores() const { return sockets * cores_per_socket; }
  /// V(f) of a socket with that many active cores.
  [[nodiscard]] double volts(std::size_t active_cores, model::Gear gear) const;
};

/// How many of a node's sockets have active cores. [N16] Eq. 8, 9
std::size_t active_sockets(const NodeShape& node, const Configuration& configuration);

/// How many cores of a socket are active. Socket 0 is the first that is used.
std::size_t active_cores(const NodeShape& node, const Configuration& configuration,
                         std::size_t socket);

/// The configurations that may be chosen. Everything else names them by their index in here.
struct Space {
  NodeShape node;
  std::vector<Configuration> configurations; ///< at least one, each once

  [[nodiscard]] std::size_t size() const { return configurations.size(); }
  [[nodiscard]] const Configuration& operator[](std::size_t index) const {
    return configurations[index];
  }
  [[nodiscard]] std::optional<std::size_t> find(const Configuration& configuration) const;
};

/// All configurations of a node; interleaved ones only where they differ from linear ones. Throws
/// Error{model} for a node without cores, or a voltage table that does not fit it.
Space all_configurations(const NodeShape& node);

/// The configuration with the most cores; of these the one in the lowest gear.
std::size_t wide_and_slow(const Space& space);

} // namespace hypermile::steer
