#include "common/fft.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace apps {
namespace {

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

TEST_P(AppFft, of_several_interleaved_is_that_of_each) {
  constexpr std::size_t count = 3;
  auto x = numbers(count * GetParam());
  const auto start = x;
  Fft fft(GetParam());
  fft.forward(x);
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<Complex> alone;
    for (std::size_t j = 0; j < GetParam(); ++j)
      alone.push_back(start[j * count + i]);
    fft.forward(alone);
    for (std::size_t k = 0; k < alone.size(); ++k)
      EXPECT_NEAR(std::abs(x[k * count + i] - alone[k]), 0.0, 1e-13);
  }
  fft.inverse_unscaled(x);
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_NEAR(std::abs(x[i] - start[i] * (1.0 * GetParam())), 0.0, 1e-11);
}

INSTANTIATE_TEST_SUITE_P(Lengths, AppFft, testing::Values(1, 2, 4, 8, 32, 256));

} // namespace
} // namespace apps
