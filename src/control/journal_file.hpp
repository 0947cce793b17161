#pragma once

#include "control/descriptor.hpp"
#include "control/journal.hpp"
#include "control/place.hpp"

#include <string>

#include <sys/types.h>

namespace hypermile::control {

/// A user's journal of a node as a file. Only this user and root may write to it; all may read it,
/// to see who sets the node's gears. It stays where it is, empty while there is nothing to restore.
/// Functions throw FileError, and Error{hardware} for a file that is not as said here.
///
/// It need not survive a power failure: sysfs has then forgotten what it is about. So nothing
/// waits for a disk.
class JournalFile {
public:
  /// Our own. Makes folder and file where they are missing.
  static JournalFile open(const Place& place);
  /// One that is there. `to_write`: only its user and root may.
  static JournalFile open(const NamedJournal& journal, bool to_write);
  /// `descriptor`: of a file opened before; `path` is for messages.
  JournalFile(Descriptor descriptor, std::string path);

  /// Takes the lock that those have who restore, or may have to. False: another one of our user (or
  /// root) has it. It is held until unlock(), or until nobody has this descriptor or a copy of it
  /// any more. Who may only read the file cannot take the lock, nor keep anybody from going on.
  [[nodiscard]] bool lock() const;
  void unlock() const noexcept;

  /// Without what was before the system's last boot. Throws Error{config} for what is no journal.
  [[nodiscard]] Journal read() const;
  [[nodiscard]] off_t size() const;
  /// Adds whole lines, or nothing where not all of them find room. A line without its end that is
  /// there already goes away.
  void append(const std::string& lines) const;
  /// Keeps the first bytes only.
  void cut(off_t size) const;
  void clear() const { cut(0); }

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] int descriptor() const { return descriptor_.number(); }
  /// Whose it is.
  [[nodiscard]] uid_t user() const { return user_; }

private:
  [[nodiscard]] std::string text() const;
  void cut_half_line() const;

  Descriptor descriptor_;
  std::string path_;
  uid_t user_;
};

} // namespace hypermile::control
