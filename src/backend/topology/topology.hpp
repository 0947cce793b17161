#pragma once

#include "control/affinity.hpp"
#include "model/placement.hpp"

#include <cstddef>
#include <string>
#include <vector>

/// Which CPUs a machine has, and which of them a process may use.
namespace hypermile::backend::topology {

using control::CpuSet;

/// Where a CPU is.
struct Cpu {
  std::size_t number;  ///< as the kernel counts
  std::size_t core;    ///< from 0 over the whole machine; CPUs of one core share it
  std::size_t package; ///< from 0; where the machine does not tell: 0
};

/// The CPUs of a machine that are online, by number.
class Topology {
public:
  explicit Topology(std::vector<Cpu> cpus);

  [[nodiscard]] const std::vector<Cpu>& cpus() const { return cpus_; }
  [[nodiscard]] CpuSet all() const;
  /// How many cores these CPUs belong to. A CPU that is not online belongs to none.
  [[nodiscard]] std::size_t cores(const CpuSet& cpus) const;
  [[nodiscard]] std::size_t packages(const CpuSet& cpus) const;
  /// One CPU of each core that these belong to: the first.
  [[nodiscard]] CpuSet one_per_core(const CpuSet& cpus) const;

private:
  std::vector<Cpu> cpus_;
};

/// This machine, also those of its CPUs that this process may not use (hwloc; HWLOC_SYNTHETIC
/// describes another one). Throws Error{hardware} if hwloc cannot tell.
Topology read_topology();

/// For each core that allowed CPUs belong to, these CPUs, in the order in which cores are put to
/// use: a program on n cores gets the first n sets. Within a package the core with the smallest
/// number comes first; packages of different sizes are interleaved as long as they have cores.
std::vector<CpuSet> cores_in_order(const Topology& topology, const CpuSet& allowed,
                                   model::Placement placement);

/// The CPUs that the calling thread may run on at this moment. Throws Error{hardware} with the
/// system's reason.
CpuSet allowed_cpus();

/// Binds the calling thread to these CPUs. Throws Error{hardware} with the system's reason.
void bind_thread(const CpuSet& cpus);

/// "0-3,8" as the kernel writes lists of CPUs; "none" for no CPU.
std::string print_cpus(const CpuSet& cpus);

} // namespace hypermile::backend::topology
