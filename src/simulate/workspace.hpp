#pragma once

#include "io/temporary_folder.hpp"

#include <cstdint>
#include <string>

namespace hypermile::simulate {

/// The temporary folder of a simulation's files.
class Workspace {
public:
  [[nodiscard]] std::string folder() const { return folder_.path().string(); }
  [[nodiscard]] std::string path(const std::string& name) const { return folder_.path() / name; }

  /// Throws Error{hardware} if the folder has less space left than that.
  void check_space(std::uintmax_t bytes, const std::string& purpose) const;

  /// Copies what is worth keeping (platform, computation, timeline, run reports, the
  /// programs' output) to a folder, which is made if it does not exist. Throws Error{hardware} with
  /// the system's reason.
  void keep_in(const std::string& folder) const;

private:
  io::TemporaryFolder folder_;
};

/// Makes the folder of a report where there is none, so that a simulation does not find out at
/// its end. Throws Error{hardware} with the system's reason if nothing can be written there.
void make_folder(const std::string& folder);

} // namespace hypermile::simulate
