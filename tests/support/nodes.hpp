#pragma once

#include "runtime/exchange/messages.hpp"

#include <string>

namespace hypermile::test {

/// A node with figures that can be computed with by hand: gears with S = 1 and 2, 20 and 6 W
/// while all its cores compute, 4 W while they wait.
inline runtime::Node node(const std::string& name, std::size_t cores = 1) {
  return {name,
          {.name = "two-gears",
           .cores = cores,
           .speed = Speed{1e9},
           .gears = model::GearTable{{Hertz{2e9}, Hertz{1e9}}},
           .power = {{Watts{20}, Watts{4}, Watts{4}}, {Watts{6}, Watts{4}, Watts{4}}}}};
}

} // namespace hypermile::test
