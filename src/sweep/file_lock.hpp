#pragma once

#include "control/descriptor.hpp"

#include <optional>
#include <string>

namespace hypermile::sweep {

/// A lock on a file, against other processes and other locks of this one. It goes with this object,
/// and with the process however that ends. Where a file system has no locks, nobody is kept out.
class FileLock {
public:
  enum class Kind {
    alone, ///< beside no other
    shared ///< beside others that are shared
  };

  /// None: somebody else has it. Makes the file if there is none. Throws control::FileError if it
  /// cannot be opened.
  static std::optional<FileLock> attempt(const std::string& file, Kind kind);

private:
  explicit FileLock(control::Descriptor file) : file_(std::move(file)) {}

  control::Descriptor file_;
};

} // namespace hypermile::sweep
