#pragma once

#include "collective/model.hpp"

#include <cmath>
#include <random>
#include <vector>

namespace hypermile::collective {

/// What an algorithm truly takes: T_S and R of which T_S and 1/R are linear in log2 of the nodes.
struct Truth {
  double start_s = 1e-5;
  double start_per_doubling_s = 4e-6;
  double per_byte_s = 1e-10;
  double per_byte_per_doubling_s = 3e-11;

  [[nodiscard]] double start(std::size_t nodes) const {
    return start_s + start_per_doubling_s * std::log2(static_cast<double>(nodes));
  }
  [[nodiscard]] double per_byte(std::size_t nodes) const {
    return per_byte_s + per_byte_per_doubling_s * std::log2(static_cast<double>(nodes));
  }
};

inline std::vector<std::size_t> doubling_sizes(std::size_t first_b, std::size_t last_b) {
  std::vector<std::size_t> sizes;
  for (std::size_t size_b = first_b; size_b <= last_b; size_b *= 2)
    sizes.push_back(size_b);
  return sizes;
}

/// Adds what `time_s` says of each size, by pass with noise of this relative size.
template <class Time>
void add_cells(Calibration& calibration, const Variant& variant, std::size_t nodes,
               std::size_t processes_per_node, const std::vector<std::size_t>& sizes, Time time_s,
               double noise = 0, double node_power_w = 0, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(0, noise > 0 ? noise : 1);
  for (const std::size_t size_b : sizes) {
    Cell& cell = cell_of(calibration, nodes, processes_per_node, variant, size_b);
    for (int pass = 0; pass < 5; ++pass) {
      const double factor = noise > 0 ? std::exp(normal(random)) : 1;
      cell.times.emplace_back(time_s(static_cast<double>(size_b)) * factor);
      if (node_power_w > 0)
        cell.powers.emplace_back(node_power_w * static_cast<double>(nodes));
    }
  }
}

} // namespace hypermile::collective
