#pragma once

#include "backend/process/warden.hpp"
#include "control/ports.hpp"

namespace hypermile::backend::process {

/// Confines a program by its warden, which must outlive this.
class ProcessConfiner final : public control::Confiner {
public:
  explicit ProcessConfiner(Warden& warden) : warden_(warden) {}

  void confine(const std::vector<std::size_t>& cpus) override { warden_.confine(cpus); }
  [[nodiscard]] Seconds cpu_time() override { return warden_.cpu_time(); }
  [[nodiscard]] bool alive() override { return warden_.alive(); }

private:
  Warden& warden_;
};

} // namespace hypermile::backend::process
