#include "select/knapsack.hpp"
#include "support/random_problem.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace hypermile::select {
namespace {

using Units = std::vector<std::vector<Knapsack::Option>>;

Units random_units(test::RandomProblem& random) {
  Units units(random.integer(1, 6));
  for (auto& options : units)
    for (std::uint32_t gear = 0; gear < 5; ++gear)
      if (gear == 0 || random.chance(0.7))
        options.push_back({Watts{random.uniform(1, 10)}, Joules{random.uniform(-5, 20)}, gear});
  return units;
}

/// Least energy under the cap by trying everything; infinite if nothing fits.
Joules brute_force(const Units& units, Watts cap, std::size_t unit = 0, Watts power = {},
                   Joules energy = {}) {
  constexpr Joules none{std::numeric_limits<double>::infinity()};
  if (power > cap)
    return none;
  if (unit == units.size())
    return energy;
  Joules least = none;
  for (const auto& option : units[unit])
    least = std::min(
        least, brute_force(units, cap, unit + 1, power + option.power, energy + option.energy));
  return least;
}

TEST(knapsack, is_exact_with_room_and_brackets_the_optimum_without) {
  test::RandomProblem random(5);
  for (int i = 0; i < 5000; ++i) {
    SCOPED_TRACE(i);
    const Units units = random_units(random);
    const Watts cap{random.uniform(1, 9) * static_cast<double>(units.size())};
    Knapsack knapsack;
    for (const auto& options : units)
      knapsack.add_unit(options);
    const Joules optimum = brute_force(units, cap);
    const auto exact = knapsack.solve(cap, 100000);
    ASSERT_EQ(exact.feasible, optimum < Joules{1e9});
    if (!exact.feasible)
      continue;
    ASSERT_NEAR(exact.energy.value(), optimum.value(), 1e-9);
    ASSERT_NEAR(exact.bound.value(), optimum.value(), 1e-9);
    const auto rough = knapsack.solve(cap, 0);
    ASSERT_LE(rough.bound.value(), optimum.value() + 1e-9);
    ASSERT_GE(rough.energy.value(), optimum.value() - 1e-9);
    Watts power;
    Joules energy;
    for (std::size_t unit = 0; unit < units.size(); ++unit)
      for (const auto& option : units[unit])
        if (option.gear == exact.gears[unit]) {
          power += option.power;
          energy += option.energy;
        }
    ASSERT_LE(power, cap);
    ASSERT_NEAR(energy.value(), exact.energy.value(), 1e-9);
  }
}

} // namespace
} // namespace hypermile::select
