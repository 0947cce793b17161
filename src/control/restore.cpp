#include "control/restore.hpp"

#include "control/small_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <utility>

#include <poll.h>
#include <unistd.h>

namespace hypermile::control {
namespace {

bool holds(const Entry& entry) {
  try {
    return read_small_file(entry.path) == entry.value;
  } catch (const FileError&) {
    return false;
  }
}

Failure failure(const Entry& entry, const std::string& why, bool not_permitted) {
  return {entry, fmt::format("cannot restore {} to {}: {}", entry.path, entry.value, why),
          not_permitted};
}

std::optional<Failure> restore_entry(const Entry& entry, const std::string& sysfs) {
  if (!is_setting(entry.path, sysfs))
    return failure(entry, fmt::format("this is no setting below {} that hypermile makes", sysfs),
                   false);
  try {
    write_small_file(entry.path, entry.value);
  } catch (const FileError& error) {
    if (!holds(entry))
      return failure(entry, reason(error.number()), error.not_permitted());
  }
  return std::nullopt;
}

/// What remains is restored the next time; the rest would be again, harmlessly, if this fails.
void note_in(const JournalFile& journal, const Restored& restored) {
  if (restored.failed.empty())
    return journal.clear();
  std::string lines;
  for (const Entry& entry : restored.done)
    lines += restored_line(entry.path);
  try {
    journal.append(lines);
  } catch (const FileError&) { // a full disk
  }
}

bool is_another_that_runs(const Owner& owner) {
  return owner.pid != ::getpid() && is_running(owner);
}

} // namespace

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
    if ((owner && is_running(*owner)) || waited >= patience_ms)
      return false;
    ::poll(nullptr, 0, step_ms);
  }
}

Restored restore(const JournalFile& journal, const std::string& sysfs) {
  const auto entries = journal.read().entries;
  Restored restored;
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    if (auto failed = restore_entry(*entry, sysfs))
      restored.failed.push_back(std::move(*failed));
    else
      restored.done.push_back(*entry);
  }
  note_in(journal, restored);
  return restored;
}

LeftBehind restore_left_behind(const JournalFile& journal, const std::string& sysfs) {
  using What = LeftBehind::What;
  Journal before = journal.read();
  if (!before.boot.empty() && before.boot != boot_id()) {
    journal.clear();
    return {.what = What::forgotten, .owner = {}, .restored = {}};
  }
  if (before.entries.empty()) {
    journal.clear();
    return {};
  }
  if (before.owner && is_another_that_runs(*before.owner))
    return {.what = What::in_use, .owner = std::move(before.owner), .restored = {}};
  Restored restored = restore(journal, sysfs);
  return {
      .what = What::settings, .owner = std::move(before.owner), .restored = std::move(restored)};
}

LeftBehind restore_left_behind(const Place& place) {
  if (::access(journal_path(place).c_str(), F_OK) != 0 && errno == ENOENT)
    return {};
  const JournalFile journal = JournalFile::open(place);
  if (!lock_unless_in_use(journal))
    return {.what = LeftBehind::What::in_use, .owner = owner_in(journal), .restored = {}};
  LeftBehind left = restore_left_behind(journal, place.sysfs);
  journal.unlock();
  return left;
}

} // namespace hypermile::control
