#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

namespace hypermile::control {

/// Where a node is set, and where that is kept track of. Absolute paths.
struct Place {
  std::string sysfs = "/sys";
  /// The folder of all journals; empty: `shared`, where root has made that one for all users who
  /// may write there, else `shared`-UID, a folder of each user.
  std::string state{};
  std::string shared = "/var/tmp/hypermile";
};

/// As the variables HYPERMILE_SYSFS and HYPERMILE_STATE say, else as above.
Place this_place();

/// Whether it is one of these.
bool is_place_variable(const std::string& variable);

/// A folder of journals as a user has named it: absolute, without symbolic links.
std::string state_folder(const std::string& name);

/// Our own journal of this node. Each node has its own, since nodes may share the folder.
std::string journal_path(const Place& place);

/// A journal of this node, and who has written it, if its name is true.
struct NamedJournal {
  std::string path;
  uid_t user;
};
/// All that there are, of all users.
std::vector<NamedJournal> journals_of_node(const Place& place);

/// This node's name.
std::string node_name();

} // namespace hypermile::control
