#pragma once

#include "control/journal_file.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hypermile::control {

/// What could not be restored.
struct Failure {
  Entry entry;      ///< its path is the journal where that is not one entry's fault
  std::string what; ///< for a user, with what was to be restored
  bool not_permitted = false;
  bool ignored = false; ///< nonsense in another user's journal: nothing has to be done about it
};

struct Restored {
  std::vector<Entry> done; ///< as written, in this order
  std::vector<Failure> failed;
};

/// Restores what a journal names, the last first, each whatever became of the others. Only settings
/// that the journal's user may write are touched, and they only get values that the hardware
/// allows (see allowed_value()). What could not be restored stays in the journal; lines that cannot
/// be read are reported as failures and dropped. The caller holds the lock. Throws Error for a
/// journal that cannot be read.
Restored restore(const JournalFile& journal, const std::string& sysfs);

/// What somebody left on this node who did not restore it.
struct LeftBehind {
  enum class What {
    nothing,
    in_use,    ///< `owner` still runs; nothing was touched unless that was asked for
    forgotten, ///< by sysfs when the machine started anew; nothing was touched
    settings   ///< `restored` says what became of them
  };
  What what = What::nothing;
  std::optional<Owner> owner{};
  Restored restored{};
  std::string journal{}; ///< its path
};

/// Restores what is in our own journal. Throws Error for a journal that cannot be opened, read or
/// cleared.
LeftBehind restore_left_behind(const Place& place);

/// The same for the journals of all users who may set gears; those of others are root's to restore.
/// A journal that cannot be used is reported as a failure. `in_use_too`: also what a program has
/// set that still runs; its journal stays as it is.
std::vector<LeftBehind> restore_all_left_behind(const Place& place, bool in_use_too);

/// Who sets the gears of this node by the journal of another user. Journals of users who may not
/// set gears do not count.
std::optional<Owner> other_owner(const Place& place);

// For those who go on with the journal:

/// Takes the lock, unless the owner in the journal runs. Waits a little for a guard whose owner has
/// ended, which is about to restore; a guard that does not (it is stopped, say) is not waited for.
bool lock_unless_in_use(const JournalFile& journal);
/// The last one in it; none where it cannot be told.
std::optional<Owner> owner_in(const JournalFile& journal);
/// Whether that process still runs, as a process of the journal's user.
bool still_runs(const Owner& owner, const JournalFile& journal);
/// restore_left_behind() where the caller holds the lock.
LeftBehind restore_left_behind(const JournalFile& journal, const std::string& sysfs);

} // namespace hypermile::control
