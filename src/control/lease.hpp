#pragma once

#include "control/owner.hpp"
#include "control/place.hpp"

#include <memory>
#include <string>
#include <vector>

namespace hypermile::control {

/// The right to set the gears of this node. One process has it at a time; root's processes are not
/// held up by those of other users. Everything that is written through it is restored: by
/// release(), by its destructor, and by a guard process if this process ends in any other way. In a
/// child that this process forked it does nothing.
///
/// Takes no signal handler and starts no thread; the program cannot see the guard as a child.
class Lease {
public:
  /// Restores first what an earlier process of this user left behind; what cannot be restored is
  /// tried again at the end.
  /// `guard`: the absolute path of hypermile-guard. `owner`: what others are told, e.g.
  /// this_process("4711", "./cg").
  /// Throws Error{unsupported} that says who has the node; Error{hardware} where the journal or the
  /// guard cannot be made, and then nothing is set.
  static Lease acquire(const Place& place, const std::string& guard, const Owner& owner);
  Lease(Lease&&) noexcept;
  Lease& operator=(Lease&&) = delete;
  ~Lease();

  /// Writes to a setting of sysfs (see is_setting()); the first time, what it holds is put into
  /// the journal before. Throws FileError with the file's reason; Error{hardware} where it could
  /// not be restored afterwards, and then it is not written.
  void write(const std::string& path, const std::string& value);

  /// Runs a command that sets something, by the guard: it is no child of this process. `restore`
  /// takes back what commands set; the first time it is put into the journal before. Both are words
  /// with the program's absolute path first. Throws Error{hardware} as run_command(), and where it
  /// could not be restored afterwards.
  void run(const std::vector<std::string>& command, const std::vector<std::string>& restore);

  /// Restores everything and gives the node back. Returns what could not be restored, as a user
  /// reads it: it stays in the journal. Once only; does not throw.
  std::vector<std::string> release() noexcept;

private:
  struct State;
  explicit Lease(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

} // namespace hypermile::control
