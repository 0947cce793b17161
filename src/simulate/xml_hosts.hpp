#pragma once

#include "simulate/experiment.hpp"
#include "simulate/fixed_gears.hpp"
#include "simulate/workspace.hpp"

#include <string>
#include <vector>

namespace hypermile::simulate {

/// Whether the text of a platform is SimGrid's XML, as opposed to hypermile's YAML.
bool is_xml(const std::string& text);

/// A host of a platform in XML.
struct XmlHost {
  PlacedNode node;
  std::size_t cores;
};

/// The hosts of a platform in XML, in the order of its file; those of a <cluster> in the order of
/// its radical. Throws Error{config} with SimGrid's reason if it does not understand the file or
/// the file has no hosts, Interrupted on SIGINT and the like.
std::vector<XmlHost> list_hosts(const std::string& file, const Installation& installation,
                                const Workspace& workspace);

} // namespace hypermile::simulate
