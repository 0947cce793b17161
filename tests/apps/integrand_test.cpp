#include "master_worker/integrand.hpp"
#include "master_worker/item.hpp"

#include <gtest/gtest.h>

namespace apps::master_worker {
namespace {

constexpr Problem problem{.name = 'T', .items = 20, .iterations = 1, .tolerance = 1e-7};

TEST(AppIntegrand, is_integrated_within_the_tolerance_wherever_its_peaks_are) {
  for (const double shift : {0.0, 0.12, 0.5, 0.99}) {
    double integral = 0.0;
    for (std::uint32_t index = 0; index < problem.items; ++index)
      integral += compute(item_of(problem, shift, index)).integral;
    EXPECT_NEAR(integral, Integrand(shift).exact_integral(0.0, 1.0), problem.tolerance);
  }
}

TEST(AppIntegrand, is_the_slope_of_its_exact_integral) {
  const Integrand integrand(0.3);
  for (const double x : {0.1, 0.4, 0.77}) {
    const double width = 1e-5;
    EXPECT_NEAR(integrand.exact_integral(x - width, x + width) / (2.0 * width), integrand.at(x),
                1e-4);
  }
}

TEST(AppIntegrand, makes_for_uneven_items) {
  double least = std::numeric_limits<double>::infinity();
  double most = 0.0;
  for (std::uint32_t index = 0; index < problem.items; ++index) {
    const double evaluations = compute(item_of(problem, 0.0, index)).evaluations;
    least = std::min(least, evaluations);
    most = std::max(most, evaluations);
  }
  EXPECT_GT(most, 3.0 * least);
}

TEST(AppItems, cover_the_interval_and_share_the_tolerance) {
  double end = 0.0;
  double tolerance = 0.0;
  for (std::uint32_t index = 0; index < problem.items; ++index) {
    const auto piece = item_of(problem, 0.0, index).piece;
    EXPECT_EQ(piece.begin, end);
    end = piece.end;
    tolerance += piece.tolerance;
  }
  EXPECT_EQ(end, 1.0);
  EXPECT_NEAR(tolerance, problem.tolerance, 1e-15);
}

} // namespace
} // namespace apps::master_worker
