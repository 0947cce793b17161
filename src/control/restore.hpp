#pragma once

#include "control/journal_file.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hypermile::control {

/// A setting that could not be restored.
struct Failure {
  Entry entry;
  std::string what; ///< for a user, with what was to be restored
  bool not_permitted;
};

struct Restored {
  std::vector<Entry> done; ///< in this order
  std::vector<Failure> failed;
};

/// Restores what a journal names, the last first, each whatever became of the others. What could
/// not be restored stays in the journal. The caller holds its lock. Throws Error for a journal
/// that cannot be read.
Restored restore(const JournalFile& journal, const std::string& sysfs);

/// What somebody left on this node who did not restore it.
struct LeftBehind {
  enum class What {
    nothing,
    in_use,    ///< `owner` still runs; nothing was touched
    forgotten, ///< by sysfs when the machine started anew; nothing was touched
    settings   ///< `restored` says what became of them
  };
  What what = What::nothing;
  std::optional<Owner> owner;
  Restored restored;
};

/// Restores that. Throws Error for a journal that cannot be opened, read or cleared.
LeftBehind restore_left_behind(const Place& place);

// For those who go on with the journal:

/// Takes the lock. Waits a little for a guard whose owner has ended, which is about to restore.
bool lock_unless_in_use(const JournalFile& journal);
/// The last one in it; none where it cannot be told.
std::optional<Owner> owner_in(const JournalFile& journal);
/// restore_left_behind() where the caller holds the lock.
LeftBehind restore_left_behind(const JournalFile& journal, const std::string& sysfs);

} // namespace hypermile::control
