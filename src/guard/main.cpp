// hypermile-guard: waits until the process that has the lease of this node ends, in whatever way,
// or asks for it; then restores everything that the journal names. See control/guard_process.hpp.

#include "control/guard_process.hpp"
#include "control/restore.hpp"
#include "control/run_command.hpp"
#include "units/error.hpp"
#include "units/words.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include <fcntl.h>
#include <poll.h>

namespace {

using namespace hypermile::control;

void tell(guard::Word word, const std::string& text = "") {
  (void)guard::send(guard::socket, {word, text}); // nobody needs to hear it
}

void run_for_owner(const std::string& command) {
  try {
    run_command(hypermile::split_words(command));
  } catch (const hypermile::Error& error) {
    tell(guard::failed, error.what());
  }
  tell(guard::done);
}

/// Runs the commands that the owner asks for. True: it asks to restore. False: it has ended, or
/// become another program.
bool wait_for_owner(const std::optional<Owner>& owner) {
  const bool watched = ::fcntl(guard::owner, F_GETFD) >= 0;
  constexpr int look_again_ms = 500;
  std::array<pollfd, 2> ends{{{.fd = guard::socket, .events = POLLIN, .revents = 0},
                              {.fd = watched ? guard::owner : -1, .events = POLLIN, .revents = 0}}};
  for (;;) {
    const int ready = ::poll(ends.data(), ends.size(), watched ? -1 : look_again_ms);
    if (ready < 0 && errno != EINTR)
      return false;
    if (ready > 0 && ends[0].revents != 0) {
      const auto message = guard::receive(guard::socket, 0);
      if (!message || message->word != guard::run)
        return message && message->word == guard::release;
      run_for_owner(message->text);
      continue;
    }
    if (ready > 0 || (ready == 0 && owner && !is_running(*owner)))
      return false;
  }
}

/// A guard that was stopped for long may find the journal of another owner.
std::vector<std::string> restore_all(const JournalFile& journal, const std::string& sysfs,
                                     const std::optional<Owner>& owner) {
  std::vector<std::string> failures;
  if (owner_in(journal) != owner)
    return failures;
  try {
    for (const Failure& failure : restore(journal, sysfs).failed)
      failures.push_back(failure.what);
  } catch (const std::exception& error) {
    failures.emplace_back(error.what());
  }
  return failures;
}

int watch(const std::string& sysfs) {
  const JournalFile journal(Descriptor(guard::journal), "the journal");
  const auto owner = owner_in(journal);
  tell(guard::ready);
  const bool asked = wait_for_owner(owner);
  const auto failures = restore_all(journal, sysfs, owner);
  journal.unlock(); // also for whoever inherited the descriptor
  if (asked) {
    for (const std::string& failure : failures)
      tell(guard::failed, failure);
    tell(guard::done);
  }
  return failures.empty() ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 2 || ::fcntl(guard::socket, F_GETFD) < 0 || ::fcntl(guard::journal, F_GETFD) < 0) {
    std::fputs("hypermile-guard: error: only hypermile starts this; try: hypermile restore\n",
               stderr);
    return 2;
  }
  try {
    return watch(argv[1]);
  } catch (const std::exception&) { // out of memory: the journal stays
    return 1;
  }
}
