#pragma once

#include "backend/process/contention.hpp"
#include "backend/process/duty_cycle.hpp"
#include "backend/process/masks.hpp"
#include "backend/process/process_tree.hpp"
#include "backend/process/record.hpp"
#include "backend/process/stopper.hpp"
#include "control/guard_process.hpp"

namespace hypermile::backend::process {

/// What a supervisor does all its life.
class SupervisorLoop {
public:
  /// `socket`: of whoever started it, which is `owner`. Throws Error{config} if the program is not
  /// there.
  SupervisorLoop(int socket, pid_t owner, const Program& program, Record& record);

  /// Until the program ends, the owner ends, or asks for it; then the program is as it was found.
  void run();

private:
  void wait() const;
  void obey(const control::guard::Message& message);
  void confine(const std::string& cpus);
  void slow_down(const std::string& scale);
  void answer(int error);
  void switch_phase();
  Masks::Outcome scan();
  void schedule(Seconds began);
  void note();
  [[nodiscard]] std::string use() const;
  void leave();

  int socket_;
  pid_t owner_;
  Record& record_;
  ProcessTree tree_;
  Masks masks_;
  Stopper stopper_;
  DutyCycle cycle_;
  Contention contention_;
  Found found_;
  Seconds scan_at_;
  Seconds interval_;
  bool ends_ = false;
};

} // namespace hypermile::backend::process
