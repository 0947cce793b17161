#include "kernels/lcg46.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using hypermile::kernels::Lcg46;

/// The product a x mod 2^46 in double arithmetic only, by halves of 23 bits: how the
/// specification defines the numbers.
double next_in_doubles(double& x) {
  constexpr double a = 1220703125.0;
  constexpr double two23 = 0x1p23;
  constexpr double two46 = 0x1p46;
  const double a_high = std::floor(a / two23);
  const double a_low = a - two23 * a_high;
  const double x_high = std::floor(x / two23);
  const double x_low = x - two23 * x_high;
  const double cross = std::fmod(a_high * x_low + a_low * x_high, two23);
  x = std::fmod(two23 * cross + a_low * x_low, two46);
  return x / two46;
}

TEST(Lcg46, gives_the_numbers_of_double_arithmetic_to_the_bit) {
  Lcg46 random(314159265);
  double x = 314159265.0;
  for (int i = 0; i < 100000; ++i)
    ASSERT_EQ(random.next(), next_in_doubles(x)) << "draw " << i;
}

TEST(Lcg46, skips_to_where_drawing_would_have_led) {
  for (const unsigned count : {0U, 1U, 2U, 3U, 1000U, 65537U}) {
    Lcg46 drawn(271828183);
    for (unsigned i = 0; i < count; ++i)
      drawn.next();
    Lcg46 skipped(271828183);
    skipped.skip(count);
    EXPECT_EQ(skipped.state(), drawn.state()) << count << " draws";
  }
}

TEST(Lcg46, stays_strictly_between_0_and_1) {
  Lcg46 random(1);
  for (int i = 0; i < 100000; ++i) {
    const double value = random.next();
    ASSERT_GT(value, 0.0);
    ASSERT_LT(value, 1.0);
  }
}

} // namespace
