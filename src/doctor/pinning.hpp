#pragma once

#include "backend/topology/topology.hpp"
#include "doctor/places.hpp"

#include <optional>
#include <string>

namespace hypermile::doctor {

/// Which CPUs a process that is started here may use.
struct Pinning {
  std::size_t packages = 0;
  std::size_t cores = 0;
  backend::topology::CpuSet online;
  backend::topology::CpuSet allowed;
  std::string cpuset;          ///< of the control group, as the kernel prints it; empty: none
  std::optional<double> quota; ///< CPUs' worth of time that the control group may use; none: all
  std::string why_not;         ///< the rest is not known; empty if it is
};

Pinning examine_pinning(const Places& places);

} // namespace hypermile::doctor
