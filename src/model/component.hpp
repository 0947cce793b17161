#pragma once

#include "model/platform.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace hypermile::model {

/// What a component is. "node" is a whole node; "chassis" is what a node has beside its other
/// parts: board, memory, fans, power supply.
enum class ComponentKind { cpu, node, chassis, nic, accelerator, network, network_switch };

struct ComponentKindRow {
  ComponentKind kind;
  std::string_view name; ///< in files, and of --swap
};

inline constexpr std::array<ComponentKindRow, 7> component_kinds{{
    {ComponentKind::cpu, "cpu"},
    {ComponentKind::node, "node"},
    {ComponentKind::chassis, "chassis"},
    {ComponentKind::nic, "nic"},
    {ComponentKind::accelerator, "accelerator"},
    {ComponentKind::network, "network"},
    {ComponentKind::network_switch, "switch"},
}};

std::string_view name_of(ComponentKind kind);
/// None: no kind has this name.
std::optional<ComponentKind> component_kind_named(std::string_view name);

/// How much is known of where a figure comes from.
enum class Evidence {
  source,    ///< it was read there
  unchecked, ///< it should be there, but nobody has looked
  estimate   ///< it is in no source; the text says how it was found
};

/// One figure of a component, as its file has it.
struct Figure {
  std::string name;  ///< its key, e.g. "power.idle"
  std::string value; ///< with its unit
  Evidence evidence;
  std::string origin; ///< where it comes from, or how it was found
};

/// What computes: a cpu or a whole node.
struct Processor {
  std::size_t cores;
  Speed speed; ///< of one core in gear 0
  GearTable gears;
  std::vector<GearPower> power; ///< of all its cores together, one entry per gear
};

/// What draws the same power all the time.
struct ConstantLoad {
  Watts power;
};

/// A box of a network.
struct Switch {
  std::size_t ports;
  Watts power;
};

/// An entry of the component database.
struct Component {
  std::string name;
  ComponentKind kind;
  std::string description;
  std::vector<Figure> figures; ///< in the order of the file
  /// Processor: cpu, node. ConstantLoad: chassis, nic, accelerator. Link: network.
  /// Switch: network_switch.
  std::variant<Processor, ConstantLoad, Link, Switch> what;
};

/// So many of a component in one node.
struct CountedComponent {
  std::size_t count;
  const Component* component;
};

/// The node that has these parts: the cores and gears of its CPUs, and the power of all parts. The
/// CPUs are of one kind, and change gears together. Throws Error{config} if there is no CPU, if
/// there are several kinds, or for a part that is not in a node.
Processor assemble_node(const std::vector<CountedComponent>& parts);

} // namespace hypermile::model
