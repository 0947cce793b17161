#include "control/lease.hpp"

#include "control/guard_process.hpp"
#include "control/journal_file.hpp"
#include "control/restore.hpp"
#include "control/restore_command.hpp"
#include "control/run_command.hpp"
#include "control/setting.hpp"
#include "control/small_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include <unistd.h>

namespace hypermile::control {

struct Lease::State {
  Place place;
  JournalFile journal; ///< without its lock, which is the guard's
  Descriptor guard;
  pid_t pid; ///< of the process that has the lease
  std::set<std::string> journaled;
  std::vector<std::string> unread; ///< lines of an earlier run's journal

  /// Throws Error{hardware} for what could not be restored.
  void note(const Entry& entry);
  /// Writing to it has failed.
  void forget(const Entry& entry) noexcept;
};

void Lease::State::note(const Entry& entry) {
  if (!can_be_journaled(entry))
    throw Error(ErrorKind::hardware,
                fmt::format("{} holds '{}', which could not be restored", entry.path, entry.value));
  if (guard::is_gone(guard.number()))
    throw Error(ErrorKind::hardware, "the guard, which would restore " + entry.path +
                                         " when this process is killed, was killed itself");
  journal.append(was_line(entry));
  journaled.insert(entry.path);
}

void Lease::State::forget(const Entry& entry) noexcept {
  try {
    if (read_small_file(entry.path) != entry.value)
      return;
    journal.append(restored_line(entry.path));
    journaled.erase(entry.path);
  } catch (const std::exception&) { // then it is restored to what it is
  }
}

namespace {

constexpr int restore_patience_ms =
    60'000; ///< for a guard that restores one setting after the other

[[noreturn]] void refuse(const std::optional<Owner>& owner) {
  throw Error(ErrorKind::unsupported, fmt::format("the gears of {} are set by {}", node_name(),
                                                  owner ? describe(*owner) : "somebody else"));
}

/// Puts our name into the journal. Another user may do the same in his at this moment: then both
/// see each other, and neither sets gears. Nobody keeps root from it.
void announce(const JournalFile& journal, const Place& place, const Owner& owner) {
  journal.append((journal.size() == 0 ? begin_line(boot_id()) : "") + owner_line(owner));
  if (::geteuid() == 0)
    return;
  if (const auto other = other_owner(place))
    refuse(other);
}

/// Restores what an earlier run of ours left in a journal that is locked. Returns what it could not
/// read of it.
std::vector<std::string> take_over(const JournalFile& journal, const std::string& sysfs) {
  std::vector<std::string> unread = journal.read().bad;
  const LeftBehind left = restore_left_behind(journal, sysfs);
  if (left.what == LeftBehind::What::in_use)
    refuse(left.owner);
  return unread;
}

std::set<std::string> paths_in(const JournalFile& journal) {
  std::set<std::string> paths;
  for (const Entry& entry : journal.read().entries)
    paths.insert(entry.path);
  return paths;
}

/// What the guard says that it could not do; none if it does not end its answer.
std::optional<std::vector<std::string>> ask(int guard, const guard::Message& request) {
  std::vector<std::string> failures;
  if (!guard::send(guard, request))
    return std::nullopt;
  while (const auto message = guard::receive(guard, restore_patience_ms)) {
    if (message->word == guard::done)
      return failures;
    failures.push_back(message->text);
  }
  return std::nullopt;
}

/// For a guard that somebody killed.
std::vector<std::string> restore_here(const JournalFile& journal, const std::string& sysfs) {
  if (!journal.lock())
    return {"the guard does not answer; it holds " + journal.path()};
  std::vector<std::string> failures;
  for (const Failure& failure : restore(journal, sysfs).failed)
    failures.push_back(failure.what);
  journal.unlock();
  return failures;
}

} // namespace

Lease Lease::acquire(const Place& place, const std::string& guard, const Owner& owner) {
  const JournalFile locked = JournalFile::open(place);
  if (!lock_unless_in_use(locked))
    refuse(owner_in(locked));
  auto unread = take_over(locked, place.sysfs);
  const off_t before = locked.size();
  try {
    announce(locked, place, owner);
    auto paths = paths_in(locked);
    JournalFile journal = JournalFile::open(place);
    Descriptor socket = start_guard(guard, place.sysfs, locked.descriptor());
    return Lease(std::make_unique<State>(State{place, std::move(journal), std::move(socket),
                                               ::getpid(), std::move(paths), std::move(unread)}));
  } catch (const Error&) { // then others may have the node
    locked.cut(before);
    throw;
  }
}

Lease::Lease(std::unique_ptr<State> state) : state_(std::move(state)) {}
Lease::Lease(Lease&&) noexcept = default;
Lease::~Lease() { release(); }

void Lease::write(const std::string& path, const std::string& value) {
  if (!state_ || state_->pid != ::getpid())
    throw Error(ErrorKind::hardware, "this process has no lease of the node");
  if (!is_setting(path, state_->place.sysfs))
    throw Error(ErrorKind::hardware, path + " is no setting that could be restored");
  const bool first = !state_->journaled.contains(path);
  const Entry entry{path, first ? read_small_file(path) : ""};
  if (first)
    state_->note(entry);
  try {
    write_small_file(path, value);
  } catch (const FileError&) {
    if (first)
      state_->forget(entry);
    throw;
  }
}

void Lease::run(const std::vector<std::string>& command, const std::vector<std::string>& restore) {
  if (!state_ || state_->pid != ::getpid())
    throw Error(ErrorKind::hardware, "this process has no lease of the node");
  const Entry before = command_entry(restore);
  if (!state_->journaled.contains(before.path))
    state_->note(before);
  const auto failures = ask(state_->guard.number(), {guard::run, command_entry(command).path});
  if (!failures)
    throw Error(ErrorKind::hardware, "the guard, which runs the command, does not answer");
  if (!failures->empty())
    throw Error(ErrorKind::hardware, failures->front());
}

std::vector<std::string> Lease::release() noexcept {
  const std::unique_ptr<State> state = std::move(state_);
  if (!state || state->pid != ::getpid())
    return {};
  std::vector<std::string> failures = std::move(state->unread);
  try {
    auto told = ask(state->guard.number(), {guard::release, ""});
    if (!told)
      told = restore_here(state->journal, state->place.sysfs);
    std::ranges::move(*told, std::back_inserter(failures));
  } catch (const std::exception& error) {
    failures.emplace_back(error.what());
  }
  return failures;
}

} // namespace hypermile::control
