#pragma once

#include "backend/process/process_tree.hpp"
#include "backend/process/record.hpp"
#include "control/descriptor.hpp"

#include <vector>

#include <unistd.h>

namespace hypermile::backend::process {

/// A process that waits for the end of a supervisor. Should that be killed, it leaves the program
/// as it was found, whether the supervisor's owner still lives or not. It costs nothing meanwhile.
/// Its name does not begin like ours, so that `pkill hypermile` ends the others only.
class Standby {
public:
  /// Forks. `record` must outlive this. Throws control::FileError where the system does not let it.
  Standby(const Program& program, Record& record);
  ~Standby();
  Standby(const Standby&) = delete;
  Standby& operator=(const Standby&) = delete;

  [[nodiscard]] pid_t pid() const { return pid_; }
  /// Open in the supervisor only: the supervisor has ended when nobody has it open any more.
  [[nodiscard]] int lifeline() const { return lifeline_.number(); }
  /// The supervisor has been forked, and has it.
  void give_away_lifeline() { lifeline_ = control::Descriptor(); }

private:
  control::Descriptor lifeline_;
  pid_t owner_ = ::getpid(); ///< a process that this one forks has nothing to do with it
  pid_t pid_ = 0;
};

/// Closes all descriptors but these and the standard streams, in a process that was forked: whoever
/// waits for a pipe to end must not wait for it. Makes it the first of a session of its own.
void detach(std::vector<int> kept, const char* name);

} // namespace hypermile::backend::process
