#pragma once

#include "control/descriptor.hpp"
#include "control/journal.hpp"
#include "control/place.hpp"

#include <string>

namespace hypermile::control {

/// The journal of a node as a file. It stays where it is, empty while there is nothing to restore,
/// since in a folder with the sticky bit users cannot remove each other's files. Whoever restores
/// from it holds its lock. Functions throw FileError.
///
/// It need not survive a power failure: sysfs has then forgotten what it is about. So nothing
/// waits for a disk.
class JournalFile {
public:
  /// Makes folder and file where they are missing, for all users.
  static JournalFile open(const Place& place);
  /// `descriptor`: of a file opened before; `path` is for messages.
  JournalFile(Descriptor descriptor, std::string path);

  /// False: somebody else holds the lock. It is held until unlock(), or until nobody has this
  /// descriptor or a copy of it any more.
  [[nodiscard]] bool lock() const;
  void unlock() const noexcept;

  /// Without what was before the system's last boot. Throws Error{config} for what is no journal.
  [[nodiscard]] Journal read() const;
  /// Adds whole lines, or nothing where not all of them find room.
  void append(const std::string& lines) const;
  void clear() const;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] int descriptor() const { return descriptor_.number(); }

private:
  Descriptor descriptor_;
  std::string path_;
};

} // namespace hypermile::control
