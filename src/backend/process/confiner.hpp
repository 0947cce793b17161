#pragma once

#include "backend/process/supervisor.hpp"
#include "control/ports.hpp"

namespace hypermile::backend::process {

/// Confines a program by its supervisor, which must outlive this.
class ProcessConfiner final : public control::Confiner {
public:
  explicit ProcessConfiner(Supervisor& supervisor) : supervisor_(supervisor) {}

  void confine(const std::vector<std::size_t>& cpus) override { supervisor_.confine(cpus); }
  [[nodiscard]] Seconds cpu_time() override { return supervisor_.cpu_time(); }
  [[nodiscard]] bool alive() override { return supervisor_.alive(); }

private:
  Supervisor& supervisor_;
};

} // namespace hypermile::backend::process
