#pragma once

#include "compare/comparison.hpp"

#include <string>
#include <vector>

namespace hypermile::test {

/// A run with measured energy.
inline compare::Run measured_run(double time, double energy) {
  return {.source = "run.json",
          .cell = "",
          .method = "",
          .time = Seconds{time},
          .energies = {{compare::EnergyBy::meters, Joules{energy}}}};
}

inline compare::Run simulated_run(const std::string& method, double time, double energy,
                                  const std::string& cell = "") {
  return {.source = "simulation.json",
          .cell = cell,
          .method = method,
          .time = Seconds{time},
          .energies = {{compare::EnergyBy::simulation, Joules{energy}}}};
}

/// With the method that is named, if any.
inline compare::Comparison compared(const std::vector<compare::Run>& a,
                                    const std::vector<compare::Run>& b,
                                    const std::string& method_a = "",
                                    const std::string& method_b = "") {
  return compare::compare_runs({.a = {"a"}, .b = {"b"}, .method_a = method_a, .method_b = method_b},
                               a, b);
}

} // namespace hypermile::test
