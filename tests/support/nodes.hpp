#pragma once

#include "runtime/exchange/run_report.hpp"

#include <string>

namespace hypermile::test {

/// A node with figures that can be computed with by hand: gears with S = 1 and 2, 20 and 6 W
/// while all its cores compute, 4 W while they wait.
inline runtime::RankNode node(const std::string& name, std::size_t cores = 1) {
  return {name,
          {.name = "two-gears",
           .cores = cores,
           .speed = Speed{1e9},
           .gears = model::GearTable{{Hertz{2e9}, Hertz{1e9}}},
           .power = {{Watts{20}, Watts{4}, Watts{4}}, {Watts{6}, Watts{4}, Watts{4}}}}};
}

/// Gears from 3 to 2 GHz in 20 steps, 44 W at most.
inline runtime::RankNode many_gears(const std::string& name) {
  std::vector<Hertz> frequencies;
  for (int step = 0; step <= 20; ++step)
    frequencies.emplace_back(3e9 - 5e7 * step);
  model::GearTable gears{frequencies};
  auto power = model::cubic_power(gears, Watts{40}, Watts{4});
  return {name,
          {.name = "many",
           .cores = 1,
           .speed = Speed{1},
           .gears = std::move(gears),
           .power = std::move(power)}};
}

} // namespace hypermile::test
