#include "control/restore.hpp"

#include "control/process_stat.hpp"
#include "control/restore_command.hpp"
#include "control/run_command.hpp"
#include "control/setting.hpp"
#include "control/small_file.hpp"
#include "units/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include <poll.h>
#include <unistd.h>

namespace hypermile::control {
namespace {

using What = LeftBehind::What;

bool holds(const Entry& entry) {
  try {
    return read_small_file(entry.path) == entry.value;
  } catch (const FileError&) {
    return false;
  }
}

Failure failure(const Entry& entry, const std::string& why) {
  return {entry, fmt::format("cannot restore {} to {}: {}", entry.path, entry.value, why)};
}

bool is_anothers(const JournalFile& journal) { return journal.user() != ::geteuid(); }

/// Throws Error where a journal must not have this entry.
void check_entry(const Entry& entry, const JournalFile& journal, const std::string& sysfs) {
  if (!is_setting(entry.path, sysfs))
    throw Error(ErrorKind::hardware,
                fmt::format("this is no setting below {} that hypermile makes", sysfs));
  if (is_anothers(journal) && !may_write(journal.user(), entry.path))
    throw Error(ErrorKind::hardware, fmt::format("{}, whose journal says so, may not write it",
                                                 name_of_user(journal.user())));
}

/// Root never runs what another user wrote.
std::optional<Failure> run_entry(const Entry& entry, const JournalFile& journal) {
  Failure failed{entry, fmt::format("cannot restore by '{}': ", entry.path)};
  try {
    if (is_anothers(journal))
      throw Error(ErrorKind::unsupported,
                  fmt::format("only {}, whose journal says so, may run it; try: hypermile restore "
                              "as that user",
                              name_of_user(journal.user())));
    run_command(split_words(entry.path));
    return std::nullopt;
  } catch (const Error& error) {
    failed.what += error.what();
    failed.not_permitted = is_anothers(journal);
    return failed;
  }
}

/// Writes what the hardware allows of the entry, and makes it that.
std::optional<Failure> restore_entry(Entry& entry, const JournalFile& journal,
                                     const std::string& sysfs) {
  if (is_command(entry))
    return run_entry(entry, journal);
  try {
    check_entry(entry, journal, sysfs);
    entry.value = allowed_value(entry, sysfs);
    write_small_file(entry.path, entry.value);
  } catch (const FileError& error) {
    if (holds(entry))
      return std::nullopt;
    Failure failed = failure(entry, reason(error.number()));
    failed.not_permitted = error.not_permitted();
    return failed;
  } catch (const Error& error) {
    Failure failed = failure(entry, error.what());
    failed.ignored = is_anothers(journal);
    return failed;
  }
  return std::nullopt;
}

Restored restore_entries(const Journal& entries, const JournalFile& journal,
                         const std::string& sysfs) {
  Restored restored;
  for (auto entry = entries.entries.rbegin(); entry != entries.entries.rend(); ++entry) {
    Entry written = *entry;
    if (auto failed = restore_entry(written, journal, sysfs))
      restored.failed.push_back(std::move(*failed));
    else
      restored.done.push_back(std::move(written));
  }
  return restored;
}

/// What remains is restored the next time; the rest would be again, harmlessly, if this fails.
void note_in(const JournalFile& journal, const Restored& restored) {
  if (std::ranges::all_of(restored.failed, &Failure::ignored))
    return journal.clear();
  std::string lines;
  for (const Entry& entry : restored.done)
    lines += restored_line(entry.path);
  try {
    journal.append(lines);
  } catch (const FileError&) { // a full disk
  }
}

void add_bad_lines(const Journal& read, const JournalFile& journal, Restored& restored) {
  for (const std::string& bad : read.bad)
    restored.failed.push_back(
        {.entry = {journal.path(), ""}, .what = bad, .ignored = is_anothers(journal)});
}

LeftBehind restore_named(const NamedJournal& named, const std::string& sysfs, bool in_use_too) {
  const JournalFile journal = JournalFile::open(named, true);
  LeftBehind left{.what = What::in_use, .owner = owner_in(journal)};
  if (lock_unless_in_use(journal)) {
    left = restore_left_behind(journal, sysfs);
    journal.unlock();
  }
  if (left.what == What::in_use && in_use_too)
    left.restored = restore_entries(journal.read(), journal, sysfs);
  left.journal = named.path;
  return left;
}

/// Of the process; none: there is no such process.
std::optional<uid_t> user_of(pid_t pid) {
  try {
    const std::string status = read_small_file(fmt::format("/proc/{}/status", pid));
    const auto line = status.find("\nUid:\t");
    const auto effective = status.find('\t', line + 6);
    return line == status.npos
               ? std::nullopt
               : std::optional(static_cast<uid_t>(std::stoul(status.substr(effective + 1))));
  } catch (const FileError&) {
    return std::nullopt;
  }
}

} // namespace

bool still_runs(const Owner& owner, const JournalFile& journal) {
  return is_running(owner) && (!is_anothers(journal) || user_of(owner.pid) == journal.user());
}

std::optional<Owner> owner_in(const JournalFile& journal) {
  try {
    return journal.read().owner;
  } catch (const Error&) {
    return std::nullopt;
  }
}

bool lock_unless_in_use(const JournalFile& journal) {
  constexpr int patience_ms = 5000;
  constexpr int step_ms = 20;
  for (int waited = 0;; waited += step_ms) {
    if (journal.lock())
      return true;
    const auto owner = owner_in(journal);
    if (owner && still_runs(*owner, journal))
      return false;
    if (waited >= patience_ms) // whoever has the lock leaves alone what is not his owner's
      return true;
    ::poll(nullptr, 0, step_ms);
  }
}

Restored restore(const JournalFile& journal, const std::string& sysfs) {
  const Journal read = journal.read();
  Restored restored = restore_entries(read, journal, sysfs);
  note_in(journal, restored);
  add_bad_lines(read, journal, restored);
  return restored;
}

LeftBehind restore_left_behind(const JournalFile& journal, const std::string& sysfs) {
  Journal before = journal.read();
  LeftBehind left;
  if (!before.boot.empty() && before.boot != boot_id()) {
    journal.clear();
    left.what = What::forgotten;
    return left;
  }
  const bool ours = before.owner && before.owner->pid == ::getpid();
  if (before.owner && !ours && still_runs(*before.owner, journal)) {
    left.what = before.entries.empty() ? What::nothing : What::in_use;
  } else if (before.entries.empty() && before.bad.empty()) {
    journal.clear();
    return left;
  } else {
    left.what = What::settings;
    left.restored = restore(journal, sysfs);
  }
  left.owner = std::move(before.owner);
  return left;
}

LeftBehind restore_left_behind(const Place& place) {
  const std::string path = journal_path(place);
  if (::access(path.c_str(), F_OK) != 0 && errno == ENOENT)
    return {};
  const JournalFile journal = JournalFile::open(place);
  return restore_named({path, journal.user()}, place.sysfs, false);
}

std::vector<LeftBehind> restore_all_left_behind(const Place& place, bool in_use_too) {
  std::vector<LeftBehind> all;
  for (const NamedJournal& journal : journals_of_node(place)) {
    const bool ours = journal.user == ::geteuid();
    if (!ours && (::geteuid() != 0 || !may_set_gears(journal.user, place.sysfs)))
      continue;
    try {
      all.push_back(restore_named(journal, place.sysfs, in_use_too));
    } catch (const Error& error) {
      const auto* const file = dynamic_cast<const FileError*>(&error);
      const Failure failed{.entry = {journal.path, ""},
                           .what = error.what(),
                           .not_permitted = file != nullptr && file->not_permitted(),
                           .ignored = !ours};
      all.push_back({.what = What::settings, .restored = {{}, {failed}}, .journal = journal.path});
    }
  }
  return all;
}

std::optional<Owner> other_owner(const Place& place) {
  for (const NamedJournal& named : journals_of_node(place)) {
    if (named.user == ::geteuid() || !may_set_gears(named.user, place.sysfs))
      continue;
    try {
      const JournalFile journal = JournalFile::open(named, false);
      const Journal read = journal.read();
      if (read.boot == boot_id() && read.owner && still_runs(*read.owner, journal))
        return read.owner;
    } catch (const Error&) { // nothing that could be believed
    }
  }
  return std::nullopt;
}

} // namespace hypermile::control
