#include "transpose/fft.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace {

using apps::transpose::Complex;
using apps::transpose::Fft;

std::vector<Complex> numbers(std::size_t count) {
  std::vector<Complex> x;
  for (std::size_t i = 0; i < count; ++i)
    x.emplace_back(std::sin(1.0 + static_cast<double>(i * i)),
                   std::cos(static_cast<double>(7 * i)));
  return x;
}

/// As it is defined, term by term.
std::vector<Complex> defined(const std::vector<Complex>& x) {
  const std::size_t n = x.size();
  std::vector<Complex> result(n);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t j = 0; j < n; ++j)
      result[k] += x[j] * std::polar(1.0, -2.0 * std::numbers::pi * static_cast<double>(j * k % n) /
                                              static_cast<double>(n));
  return result;
}

class AppFft : public testing::TestWithParam<std::uint32_t> {};

TEST_P(AppFft, is_the_sum_that_defines_it) {
  auto x = numbers(GetParam());
  const auto expected = defined(x);
  Fft(GetParam()).forward(x);
  for (std::size_t k = 0; k < x.size(); ++k)
    EXPECT_NEAR(std::abs(x[k] - expected[k]), 0.0, 1e-12 * GetParam());
}

TEST_P(AppFft, is_undone_by_its_inverse) {
  const auto start = numbers(GetParam());
  auto x = start;
  Fft fft(GetParam());
  fft.forward(x);
  fft.inverse(x);
  for (std::size_t j = 0; j < x.size(); ++j)
    EXPECT_NEAR(std::abs(x[j] - start[j]), 0.0, 1e-14);
}

INSTANTIATE_TEST_SUITE_P(Lengths, AppFft, testing::Values(1, 2, 4, 8, 32, 256));

} // namespace
