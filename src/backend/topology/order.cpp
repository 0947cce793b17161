#include "backend/topology/topology.hpp"

#include <algorithm>
#include <map>

namespace hypermile::backend::topology {
namespace {

/// The cores of a package in their order.
using Package = std::vector<CpuSet>;

/// In the order of their numbers.
std::vector<Package> packages_of(const Topology& topology, const CpuSet& allowed) {
  std::map<std::size_t, std::map<std::size_t, CpuSet>> by_number;
  for (const Cpu& cpu : topology.cpus())
    if (std::ranges::binary_search(allowed, cpu.number))
      by_number[cpu.package][cpu.core].push_back(cpu.number);
  std::vector<Package> packages;
  for (const auto& [number, cores] : by_number) {
    Package& package = packages.emplace_back();
    for (const auto& [core, cpus] : cores)
      package.push_back(cpus);
  }
  return packages;
}

std::vector<CpuSet> in_turn(const std::vector<Package>& packages) {
  std::vector<CpuSet> cores;
  for (std::size_t i = 0;; ++i) {
    const std::size_t before = cores.size();
    for (const Package& package : packages)
      if (i < package.size())
        cores.push_back(package[i]);
    if (cores.size() == before)
      return cores;
  }
}

std::vector<CpuSet> one_after_another(const std::vector<Package>& packages) {
  std::vector<CpuSet> cores;
  for (const Package& package : packages)
    cores.insert(cores.end(), package.begin(), package.end());
  return cores;
}

} // namespace

std::vector<CpuSet> cores_in_order(const Topology& topology, const CpuSet& allowed,
                                   model::Placement placement) {
  const auto packages = packages_of(topology, allowed);
  return placement == model::Placement::linear ? one_after_another(packages) : in_turn(packages);
}

} // namespace hypermile::backend::topology
