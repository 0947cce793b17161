#pragma once

#include "session/run.hpp"

#include "backend/process/process_tree.hpp"
#include "control/descriptor.hpp"
#include "control/ports.hpp"
#include "launch/command.hpp"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace hypermile::session {

/// The program of a job: started by us, or found at work; and what it says of its progress.
class Program {
public:
  /// Starts it, or begins to watch it. Throws Error{config} where there is no such command or
  /// process.
  explicit Program(const Job& job);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  [[nodiscard]] pid_t pid() const;
  /// Its name, for others to read.
  [[nodiscard]] std::string name() const;
  /// Which processes it consists of.
  [[nodiscard]] backend::process::Program processes() const;
  /// These processes are none of it, though we are their parent; somebody else waits for them.
  void leave_out(const std::set<pid_t>& strangers);
  [[nodiscard]] control::Progress& progress();

  /// Does what there is to do: passes on signals and output, and waits for what the program has
  /// left to us. Returns at once.
  void look();
  /// To be polled: one can be read when there is something to do.
  [[nodiscard]] std::vector<int> descriptors() const;

  /// We were asked to end, and the program is not ours to end with us, or has ended but for
  /// processes that it left behind.
  [[nodiscard]] bool asked_to_end() const;
  /// Waits until the program that we started has ended. Returns its exit code, 0 for one that we
  /// found.
  int wait_for_end();

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace hypermile::session
