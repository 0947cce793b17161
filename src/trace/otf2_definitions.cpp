#include "trace/otf2_definitions.hpp"

#include "runtime/pmpi/functions.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>

namespace hypermile::trace {
namespace {

using runtime::pmpi::Function;

/// As the trace has them: names come as numbers of strings, which may be defined later.
struct Raw {
  struct Group {
    OTF2_GroupType type;
    OTF2_Paradigm paradigm;
    std::vector<std::uint64_t> members;
  };
  struct Communicator {
    std::uint32_t name;
    std::uint32_t group;
    bool is_intercommunicator;
  };
  struct TreeNode {
    std::uint32_t name;
    std::uint32_t parent;
  };
  std::uint64_t ticks_per_second = 0;
  std::unordered_map<std::uint32_t, std::string> strings;
  std::unordered_map<std::uint32_t, std::uint32_t> regions; ///< their names
  std::unordered_map<std::uint32_t, Group> groups;
  std::map<std::uint32_t, Communicator> communicators;
  std::map<std::uint64_t, Otf2Definitions::Location> locations;
  std::unordered_map<std::uint32_t, std::uint32_t> tree_node_of_group;
  std::unordered_map<std::uint32_t, TreeNode> tree_nodes;

  [[nodiscard]] std::string text(std::uint32_t name) const {
    const auto found = strings.find(name);
    return found == strings.end() ? std::string() : found->second;
  }
};

Raw& raw(void* data) { return *static_cast<Raw*>(data); }

OTF2_CallbackCode on_clock(void* data, std::uint64_t resolution, std::uint64_t /*offset*/,
                           std::uint64_t /*length*/, std::uint64_t /*realtime*/) {
  raw(data).ticks_per_second = resolution;
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_string(void* data, OTF2_StringRef self, const char* text) {
  raw(data).strings[self] = text;
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_tree_node(void* data, OTF2_SystemTreeNodeRef self, OTF2_StringRef name,
                               OTF2_StringRef /*class_name*/, OTF2_SystemTreeNodeRef parent) {
  raw(data).tree_nodes[self] = {name, parent};
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_location_group(void* data, OTF2_LocationGroupRef self, OTF2_StringRef /*name*/,
                                    OTF2_LocationGroupType /*type*/, OTF2_SystemTreeNodeRef parent,
                                    OTF2_LocationGroupRef /*creator*/) {
  raw(data).tree_node_of_group[self] = parent;
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_location(void* data, OTF2_LocationRef self, OTF2_StringRef /*name*/,
                              OTF2_LocationType type, std::uint64_t events,
                              OTF2_LocationGroupRef group) {
  if (type == OTF2_LOCATION_TYPE_METRIC) // power and the like: no rank, and nothing that one does
    return OTF2_CALLBACK_SUCCESS;
  raw(data).locations[self] = {.events = events, .group = group};
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_region(void* data, OTF2_RegionRef self, OTF2_StringRef name,
                            OTF2_StringRef /*canonical*/, OTF2_StringRef /*description*/,
                            OTF2_RegionRole /*role*/, OTF2_Paradigm /*paradigm*/,
                            OTF2_RegionFlag /*flags*/, OTF2_StringRef /*source*/,
                            std::uint32_t /*begin*/, std::uint32_t /*end*/) {
  raw(data).regions[self] = name;
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_group(void* data, OTF2_GroupRef self, OTF2_StringRef /*name*/,
                           OTF2_GroupType type, OTF2_Paradigm paradigm, OTF2_GroupFlag /*flags*/,
                           std::uint32_t count, const std::uint64_t* members) {
  raw(data).groups[self] = {type, paradigm, {members, members + count}};
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_comm(void* data, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef group,
                          OTF2_CommRef /*parent*/, OTF2_CommFlag /*flags*/) {
  raw(data).communicators[self] = {name, group, false};
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_intercomm(void* data, OTF2_CommRef self, OTF2_StringRef name,
                               OTF2_GroupRef group, OTF2_GroupRef /*other*/,
                               OTF2_CommRef /*common*/, OTF2_CommFlag /*flags*/) {
  raw(data).communicators[self] = {name, group, true};
  return OTF2_CALLBACK_SUCCESS;
}

Raw read_raw(OTF2_Reader* reader) {
  Raw raw;
  OTF2_GlobalDefReader* const definitions = OTF2_Reader_GetGlobalDefReader(reader);
  if (definitions == nullptr)
    throw Error(ErrorKind::config, "it has no definitions", "a trace that is complete");
  OTF2_GlobalDefReaderCallbacks* const callbacks = OTF2_GlobalDefReaderCallbacks_New();
  OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks, &on_clock);
  OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, &on_string);
  OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeCallback(callbacks, &on_tree_node);
  OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(callbacks, &on_location_group);
  OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, &on_location);
  OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, &on_region);
  OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks, &on_group);
  OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks, &on_comm);
  OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(callbacks, &on_intercomm);
  OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, &raw);
  OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
  std::uint64_t read = 0;
  std::uint64_t all = 0;
  OTF2_Reader_GetNumberOfGlobalDefinitions(reader, &all);
  const OTF2_ErrorCode error = OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &read);
  if (error != OTF2_SUCCESS || read < all)
    throw Error(
        ErrorKind::config,
        fmt::format("its definitions are cut off or damaged: {} of {} can be read", read, all),
        "a trace that is complete");
  return raw;
}

Region region_of(const std::string& name) {
  Region region;
  region.name = name;
  const auto is = [&](Region::Kind kind, Function function) {
    region.kind = kind;
    region.function = static_cast<std::uint16_t>(function);
  };
  if (name == "hm_iteration")
    is(Region::Kind::mark, Function::Iteration);
  else if (name == "sleep" || name == "usleep" || name == "nanosleep")
    is(Region::Kind::sleep, Function::Sleep);
  constexpr std::string_view prefix = "MPI_";
  if (!name.starts_with(prefix))
    return region;
  std::string_view called = std::string_view(name).substr(prefix.size());
  called = called.substr(0, called.find('(')); // as TAU writes it
  if (called == "Init" || called == "Init_thread")
    is(Region::Kind::init, Function::Init);
  else if (const auto known = runtime::pmpi::function_named(called)) {
    using runtime::pmpi::Kind;
    const Kind kind = runtime::pmpi::kind(*known);
    is(*known == Function::Finalize ? Region::Kind::finalize
       : kind == Kind::one_sided    ? Region::Kind::one_sided
                                    : Region::Kind::mpi,
       *known);
    region.is_collective = kind == Kind::collective && runtime::pmpi::may_wait(*known);
  }
  return region;
}

/// Which location is which rank of MPI_COMM_WORLD.
std::vector<std::uint64_t> locations_of_ranks(const Raw& raw) {
  for (const auto& [number, group] : raw.groups) {
    if (group.type != OTF2_GROUP_TYPE_COMM_LOCATIONS || group.paradigm != OTF2_PARADIGM_MPI)
      continue;
    for (std::size_t rank = 0; rank < group.members.size(); ++rank)
      if (!raw.locations.contains(group.members[rank]))
        throw Error(
            ErrorKind::config,
            fmt::format("rank {} is location {}, which is not defined", rank, group.members[rank]),
            "a trace that is complete");
    if (!group.members.empty())
      return group.members;
  }
  throw Error(ErrorKind::config, "it has no ranks of MPI (no group of MPI's locations)",
              "a trace of an MPI program");
}

IncomingCommunicator communicator_of(const Raw& raw, std::uint32_t number,
                                     const Raw::Communicator& communicator, std::size_t ranks) {
  IncomingCommunicator incoming{.name = raw.text(communicator.name), .members = {}};
  if (incoming.name.empty())
    incoming.name = fmt::format("communicator {}", number);
  incoming.is_intercommunicator = communicator.is_intercommunicator;
  const auto group = raw.groups.find(communicator.group);
  if (group == raw.groups.end())
    throw Error(ErrorKind::config, fmt::format("{} has a group that is not defined", incoming.name),
                "a trace that is complete");
  incoming.is_self = group->second.type == OTF2_GROUP_TYPE_COMM_SELF;
  if (incoming.is_self || incoming.is_intercommunicator)
    return incoming;
  for (const std::uint64_t member : group->second.members) {
    if (member >= ranks)
      throw Error(ErrorKind::config,
                  fmt::format("{} has rank {} of {} ranks", incoming.name, member, ranks),
                  "a trace that is complete");
    incoming.members.push_back(static_cast<std::uint32_t>(member));
  }
  return incoming;
}

std::string node_of(const Raw& raw, const Otf2Definitions::Location& location) {
  const auto tree_node = raw.tree_node_of_group.find(location.group);
  if (tree_node == raw.tree_node_of_group.end())
    return "node";
  const auto node = raw.tree_nodes.find(tree_node->second);
  return node == raw.tree_nodes.end() ? std::string("node") : raw.text(node->second.name);
}

} // namespace

Otf2Definitions read_definitions(OTF2_Reader* reader) {
  const Raw raw = read_raw(reader);
  if (raw.ticks_per_second == 0)
    throw Error(ErrorKind::config, "it does not say how long a tick of its clock is",
                "a trace that is complete");
  Otf2Definitions definitions;
  definitions.ticks_per_second = static_cast<double>(raw.ticks_per_second);
  definitions.locations = locations_of_ranks(raw);
  definitions.all = raw.locations;
  for (const std::uint64_t location : definitions.locations)
    definitions.nodes.push_back(node_of(raw, raw.locations.at(location)));
  for (const auto& [number, region] : raw.regions)
    definitions.regions[number] = region_of(raw.text(region));
  for (const auto& [number, communicator] : raw.communicators) {
    const auto known = raw.groups.find(communicator.group);
    if (known == raw.groups.end() || known->second.paradigm == OTF2_PARADIGM_MPI)
      definitions.communicators[number] =
          communicator_of(raw, number, communicator, definitions.locations.size());
  }
  return definitions;
}

} // namespace hypermile::trace
