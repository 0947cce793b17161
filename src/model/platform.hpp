#pragma once

#include "model/gear.hpp"
#include "model/topology.hpp"
#include "units/quantity.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace hypermile::model {

/// What a whole node draws in one gear.
struct GearPower {
  Watts computing; ///< all cores computing
  Watts waiting;   ///< its ranks inside MPI, not computing
  Watts idle;      ///< no rank on the node
  bool operator==(const GearPower&) const = default;
};

/// So many of a component of the component database (src/model/component.hpp) in one node.
struct NamedPart {
  std::size_t count;
  std::string name;
  bool operator==(const NamedPart&) const = default;
};

struct Link {
  Bandwidth bandwidth;
  Seconds latency;
  bool operator==(const Link&) const = default;
};

/// A kind of node: what is the same for all nodes of that kind.
struct NodeType {
  std::string name;
  std::size_t cores = 1;
  Speed speed; ///< of one core in gear 0, in the platform's own unit
  GearTable gears;
  std::vector<GearPower> power; ///< one entry per gear
  /// False where the gears are known by their speed only (a SimGrid platform in XML, gears that are
  /// power limits): then GearTable holds relative speeds and its frequencies must not be shown.
  bool frequencies_known = true;
  /// Names of real hosts of this type, as patterns of a shell: "node[0-9]*".
  std::vector<std::string> hosts{};
  /// Where its nodes are. Empty: the platform has one site only.
  std::string site{};
  /// The components whose figures these are; empty: the platform's file has the figures itself.
  std::vector<NamedPart> parts{};
  /// By the number of cores that compute, from 0 to all: which share of the power between waiting
  /// and computing the node draws, from 0 to 1. Empty: a line.
  std::vector<double> active{};
  /// How messages between the ranks of a node travel, and how each of its threads copies; no two of
  /// them hinder each other. None: messages take the node's link to the switch and back.
  std::optional<Link> memory{};
  /// How much its computation reacts to gears, in simulations and where it is emulated:
  /// see stretch(). Nobody who chooses gears is told.
  double sensitivity = 1;
  /// Gears that are limits on the power of each processor: by gear, descending. The frequencies of
  /// `gears` are those at which arithmetic was as fast. Empty: gears are frequencies.
  std::vector<Watts> power_limits{};
  /// By gear, not ascending: what the rest of the processors runs at most. Empty: gears leave it
  /// alone.
  std::vector<Hertz> uncore{};
  bool operator==(const NodeType&) const = default;
};

/// Power per gear from the two numbers that the papers give: computing draws
/// static + dynamic / S^3, waiting and idle draw static. [F16] Eq. 1.14, 2.13
std::vector<GearPower> cubic_power(const GearTable& gears, Watts dynamic_power, Watts static_power);

/// Frequencies from `fastest` down in equal steps; `slowest` is appended where the grid
/// misses it (3.4 GHz -> 1.6 GHz in steps of 0.133 GHz). Throws Error{model} where the
/// three numbers describe no grid.
GearTable gear_grid(Hertz fastest, Hertz slowest, Hertz step);

/// The switches of a network, which draw the same power all the time.
struct Switches {
  std::size_t count;
  Watts power; ///< of each
  /// The component that the power is from; empty: the platform's file has it itself.
  std::string component{};
  bool operator==(const Switches&) const = default;
};

/// Every node has a full-duplex link to the switch of its site; with another topology than a star,
/// all links of the network are like it.
struct Network {
  Link link;
  std::optional<Link> backbone; ///< none: the switch never limits; none if there are several sites
  /// Full-duplex, between the switches of each two sites. None: all nodes are at one site.
  std::optional<Link> between_sites{};
  /// The component that `link` is from; empty: the platform's file has the figures itself.
  std::string component{};
  /// Other than a star: of nodes of one type, as many as it connects, at one site.
  Topology topology{};
  /// None: the platform does not say what its switches draw.
  std::optional<Switches> switches{};
  bool operator==(const Network&) const = default;
};

/// The machines a program runs on.
struct Platform {
  struct Group {
    NodeType type;
    std::size_t count; ///< nodes of this type, or its share if the platform is scalable
    bool operator==(const Group&) const = default;
  };
  std::string name;
  std::string description;
  std::vector<Group> groups;
  /// True: as many nodes as there are ranks to place, in the proportion of the counts.
  bool scalable = false;
  Network network;
  /// The work of one pair of random numbers of NAS EP in the unit of `speed`: says how fast a
  /// machine at hand is in that unit. None: the user has to say (--reference-speed).
  std::optional<Work> ep_pair_work;
  bool operator==(const Platform&) const = default;
};

/// One node of a platform: which type it is. Types stay together, in the platform's order.
using NodeList = std::vector<const NodeType*>;

/// The nodes that `ranks` processes, one per core, are placed on. A scalable platform is as
/// large as needed; each group gets its share, rounded so that the counts add up.
/// Throws Error{config} if a platform of fixed size has fewer cores than there are ranks.
NodeList place(const Platform& platform, std::size_t ranks);

/// The type that a real host is of: whose patterns match its name, or that has none where the
/// platform has no other. None: the platform does not know the host.
const NodeType* type_of_host(const Platform& platform, const std::string& host);

/// The type of this name; null: there is none.
const NodeType* type_named(const Platform& platform, const std::string& name);

/// What a node draws in each gear if so many ranks on it never do anything but compute or spin:
/// waiting is no different from computing.
std::vector<GearPower> spinning(const NodeType& type, std::size_t ranks);

/// A name for each of them, after its type: "type1-0", "type1-1", ...
std::vector<std::string> names_of(const NodeList& nodes);

} // namespace hypermile::model
