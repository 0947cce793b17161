#include "backend/topology/topology.hpp"

#include "units/error.hpp"

#include <fmt/format.h>
#include <hwloc.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <set>
#include <utility>

namespace hypermile::backend::topology {
namespace {

struct Destroy {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
using Handle = std::unique_ptr<hwloc_topology, Destroy>;

void expect_done(int status, const char* what) {
  if (status != 0)
    throw Error(ErrorKind::hardware, fmt::format("hwloc cannot {}: {}", what, std::strerror(errno)),
                "'lstopo' says what hwloc sees");
}

Handle load() {
  hwloc_topology_t raw = nullptr;
  expect_done(hwloc_topology_init(&raw), "start");
  Handle topology(raw);
  hwloc_topology_set_flags(raw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
  expect_done(hwloc_topology_load(raw), "read this machine's topology");
  return topology;
}

std::size_t ancestor_index(hwloc_topology_t topology, hwloc_obj_type_t type, hwloc_obj_t pu,
                           std::size_t otherwise) {
  const hwloc_obj_t found = hwloc_get_ancestor_obj_by_type(topology, type, pu);
  return found == nullptr ? otherwise : found->logical_index;
}

} // namespace

Topology::Topology(std::vector<Cpu> cpus) : cpus_(std::move(cpus)) {
  std::ranges::sort(cpus_, {}, &Cpu::number);
}

CpuSet Topology::all() const {
  CpuSet numbers;
  for (const Cpu& cpu : cpus_)
    numbers.push_back(cpu.number);
  return numbers;
}

CpuSet Topology::one_per_core(const CpuSet& cpus) const {
  std::set<std::size_t> seen;
  CpuSet first;
  for (const Cpu& cpu : cpus_)
    if (std::ranges::binary_search(cpus, cpu.number) && seen.insert(cpu.core).second)
      first.push_back(cpu.number);
  return first;
}

std::size_t Topology::cores(const CpuSet& cpus) const { return one_per_core(cpus).size(); }

std::size_t Topology::packages(const CpuSet& cpus) const {
  std::set<std::size_t> packages;
  for (const Cpu& cpu : cpus_)
    if (std::ranges::binary_search(cpus, cpu.number))
      packages.insert(cpu.package);
  return packages.size();
}

Topology read_topology() {
  const Handle topology = load();
  std::vector<Cpu> cpus;
  hwloc_obj_t pu = nullptr;
  while ((pu = hwloc_get_next_obj_by_type(topology.get(), HWLOC_OBJ_PU, pu)) != nullptr)
    cpus.push_back({pu->os_index,
                    ancestor_index(topology.get(), HWLOC_OBJ_CORE, pu, pu->logical_index),
                    ancestor_index(topology.get(), HWLOC_OBJ_PACKAGE, pu, 0)});
  return Topology(std::move(cpus));
}

CpuSet allowed_cpus() {
  if (auto cpus = control::affinity(0))
    return *std::move(cpus);
  throw Error(ErrorKind::hardware,
              fmt::format("cannot read the CPUs of this thread: {}", std::strerror(errno)));
}

void bind_thread(const CpuSet& cpus) {
  if (const int error = control::set_affinity(0, cpus); error != 0)
    throw Error(ErrorKind::hardware, fmt::format("cannot bind a thread to cpu {}: {}",
                                                 print_cpus(cpus), std::strerror(error)));
}

std::string print_cpus(const CpuSet& cpus) {
  if (cpus.empty())
    return "none";
  std::string text;
  for (std::size_t i = 0; i < cpus.size();) {
    std::size_t last = i;
    while (last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1)
      ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ",", cpus[i]);
    if (last > i)
      text += fmt::format("-{}", cpus[last]);
    i = last + 1;
  }
  return text;
}

} // namespace hypermile::backend::topology
