#include "model/component.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hypermile::model {
namespace {

const CountedComponent& cpus_of(const std::vector<CountedComponent>& parts) {
  const auto is_cpu = [](const CountedComponent& part) {
    return part.component->kind == ComponentKind::cpu;
  };
  const auto first = std::ranges::find_if(parts, is_cpu);
  if (first == parts.end())
    throw Error(ErrorKind::config, "none of the parts is a cpu",
                "2x NAME with a component of kind cpu");
  const auto other = std::find_if(first + 1, parts.end(), is_cpu);
  if (other != parts.end())
    throw Error(
        ErrorKind::config,
        fmt::format("both '{}' and '{}' are CPUs", first->component->name, other->component->name),
        "one kind of CPU, with its number: 2x NAME");
  return *first;
}

} // namespace

std::string_view name_of(ComponentKind kind) {
  return std::ranges::find(component_kinds, kind, &ComponentKindRow::kind)->name;
}

std::optional<ComponentKind> component_kind_named(std::string_view name) {
  const auto* const row = std::ranges::find(component_kinds, name, &ComponentKindRow::name);
  return row == component_kinds.end() ? std::nullopt : std::optional(row->kind);
}

Processor assemble_node(const std::vector<CountedComponent>& parts) {
  const auto& [count, cpu] = cpus_of(parts);
  Processor node = std::get<Processor>(cpu->what);
  node.cores *= count;
  const auto number = static_cast<double>(count);
  for (GearPower& power : node.power)
    power = {power.computing * number, power.waiting * number, power.idle * number};
  for (const CountedComponent& part : parts) {
    if (part.component == cpu)
      continue;
    const auto* const load = std::get_if<ConstantLoad>(&part.component->what);
    if (load == nullptr)
      throw Error(ErrorKind::config,
                  fmt::format("'{}' is a {}, which is no part of a node", part.component->name,
                              name_of(part.component->kind)),
                  "parts of the kinds cpu, chassis, nic and accelerator");
    const Watts constant = load->power * static_cast<double>(part.count);
    for (GearPower& power : node.power)
      power = {power.computing + constant, power.waiting + constant, power.idle + constant};
  }
  return node;
}

} // namespace hypermile::model
