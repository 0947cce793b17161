#include "runtime/pmpi/places.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace hypermile::runtime::pmpi {
namespace {

TEST(places, are_numbered_for_each_function_in_the_order_of_their_first_calls) {
  Places places;
  std::map<std::pair<Function, std::uintptr_t>, std::uint32_t> numbers;
  std::map<Function, std::uint32_t> counts;
  std::mt19937 engine(1);
  for (int call = 0; call < 20'000; ++call) {
    const auto function = static_cast<Function>(engine() % 5);
    const std::uintptr_t site = 16 * (engine() % 1000);
    const auto [known, is_new] = numbers.try_emplace({function, site}, 0);
    if (is_new)
      known->second = ++counts[function];
    EXPECT_EQ(places.number(function, reinterpret_cast<const void*>(site)), known->second);
  }
}

} // namespace
} // namespace hypermile::runtime::pmpi
