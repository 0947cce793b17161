#pragma once

#include "backend/topology/topology.hpp"
#include "calibrate/workbench.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include <csignal>

namespace hypermile::calibrate {

/// This node: a thread on each of some CPUs. While it lives, the signals by which a user or a
/// closed terminal ends a program make wait() throw instead; those that are ignored stay ignored.
class NodeWorkbench final : public Workbench {
public:
  /// Throws Error{hardware} if a thread cannot be bound to its CPU.
  explicit NodeWorkbench(backend::topology::CpuSet cpus);
  ~NodeWorkbench() override;
  NodeWorkbench(const NodeWorkbench&) = delete;
  NodeWorkbench& operator=(const NodeWorkbench&) = delete;

  void put(Load load) override;
  [[nodiscard]] double pairs() const override;
  [[nodiscard]] Seconds now() const override;
  void wait(Seconds time) override;

private:
  void work(std::size_t cpu, Load load);
  void stop();

  backend::topology::CpuSet cpus_;
  std::vector<std::thread> threads_;
  std::atomic<bool> stops_ = false;
  std::atomic<std::uint64_t> batches_ = 0;
  Seconds origin_;
  std::chrono::steady_clock::time_point steady_origin_;
  sigset_t ends_us_{};
  sigset_t mask_before_{};
};

} // namespace hypermile::calibrate
