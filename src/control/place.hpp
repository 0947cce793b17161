#pragma once

#include <string>

namespace hypermile::control {

/// Where a node is set, and where that is kept track of. Absolute paths.
struct Place {
  std::string sysfs = "/sys";
  std::string state = "/var/tmp/hypermile"; ///< a folder that all users of the node share
};

/// As the variables HYPERMILE_SYSFS and HYPERMILE_STATE say, else as above.
Place this_place();

/// The journal of this node: each has its own, since nodes may share the folder.
std::string journal_path(const Place& place);

/// This node's name.
std::string node_name();

/// Whether hypermile makes this setting: a governor or frequency of a CPU below `sysfs`. Journals
/// are written by any user and acted upon by root, who must not be led to write anything else.
bool is_setting(const std::string& path, const std::string& sysfs);

} // namespace hypermile::control
