#include "estimate/least_squares.hpp"
#include "estimate/student_t.hpp"

#include "units/error.hpp"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace hypermile::estimate {
namespace {

constexpr std::size_t rows = 12;

/// W / p + d p + c for p = 1 to 12: what a program takes that is overheads and work.
std::vector<double> times(std::span<const double> w_d_c) {
  std::vector<double> all;
  for (std::size_t p = 1; p <= rows; ++p)
    all.push_back(w_d_c[0] / static_cast<double>(p) + w_d_c[1] * static_cast<double>(p) + w_d_c[2]);
  return all;
}

TEST(LeastSquares, finds_parameters_that_make_the_observations_exactly) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> any(0.1, 10);
  for (int i = 0; i < 50; ++i) {
    const std::vector<double> made{1e9 * any(random), 1e3 * any(random), 1e5 * any(random)};
    const std::vector<double> start{1e9, 1e3, 1e5};
    const Fit found = fit(times, times(made), start);
    for (std::size_t k = 0; k < made.size(); ++k)
      EXPECT_NEAR(found.parameters[k].value / made[k], 1, 1e-4);
    EXPECT_LT(relative_error(found.left_out, times(made)), 1e-5);
  }
}

/// With relative errors, a model that is linear in its parameters has a closed form.
TEST(LeastSquares, agrees_with_the_closed_form_of_a_linear_model) {
  std::mt19937 random(2);
  std::normal_distribution<double> noise(0, 0.03);
  std::vector<double> observed = times(std::vector<double>{50.0, 0.7, 3.0});
  for (double& value : observed)
    value *= 1 + noise(random);
  const Fit found = fit(times, observed, std::vector<double>{10.0, 1.0, 1.0});
  Eigen::MatrixXd a(rows, 3);
  for (Eigen::Index p = 1; p <= static_cast<Eigen::Index>(rows); ++p)
    a.row(p - 1) << 1.0 / static_cast<double>(p), static_cast<double>(p), 1.0;
  for (Eigen::Index i = 0; i < a.rows(); ++i)
    a.row(i) /= observed[static_cast<std::size_t>(i)];
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(rows);
  const Eigen::VectorXd x = a.colPivHouseholderQr().solve(ones);
  const double variance = (a * x - ones).squaredNorm() / (rows - 3);
  const Eigen::MatrixXd covariance = variance * (a.transpose() * a).inverse();
  for (Eigen::Index k = 0; k < 3; ++k) {
    const auto& estimate = found.parameters[static_cast<std::size_t>(k)];
    EXPECT_NEAR(estimate.value / x[k], 1, 1e-4);
    EXPECT_NEAR((estimate.high - estimate.low) / 2 / (2.262 * std::sqrt(covariance(k, k))), 1,
                1e-3);
  }
}

TEST(LeastSquares, covers_the_truth_with_its_intervals) {
  std::mt19937 random(3);
  std::normal_distribution<double> noise(0, 0.05);
  const std::vector<double> truth{50.0, 0.7, 3.0};
  int inside = 0;
  constexpr int tries = 400;
  for (int i = 0; i < tries; ++i) {
    std::vector<double> observed = times(truth);
    for (double& value : observed)
      value *= 1 + noise(random);
    const Fit found = fit(times, observed, truth);
    inside += found.parameters[0].low <= truth[0] && truth[0] <= found.parameters[0].high ? 1 : 0;
  }
  EXPECT_GT(inside, tries * 0.90);
  EXPECT_LT(inside, tries * 0.99);
}

/// Each row is predicted without it: one that is wrong by far is not hidden by its own weight.
TEST(LeastSquares, leaves_each_observation_out_in_turn) {
  std::vector<double> observed = times(std::vector<double>{50.0, 0.7, 3.0});
  const double right = observed[0];
  observed[0] *= 1.5; // alone tells much of the first parameter
  const Fit found = fit(times, observed, std::vector<double>{10.0, 1.0, 1.0});
  EXPECT_NEAR(found.left_out[0] / right, 1, 1e-3);
  EXPECT_GT(found.fitted[0] / right, 1.05);
}

TEST(LeastSquares, keeps_the_sign_of_a_parameter) {
  const std::vector<double> observed = times(std::vector<double>{50.0, 0.7, -0.5});
  const Fit found = fit(times, observed, std::vector<double>{10.0, 1.0, 1.0});
  EXPECT_TRUE(found.parameters[2].at_bound);
  EXPECT_GE(found.parameters[2].value, 0);
  EXPECT_LT(found.parameters[2].value, 1e-3);
  EXPECT_FALSE(found.parameters[0].at_bound);
  EXPECT_LT(found.parameters[0].low, 50);
  EXPECT_GT(found.parameters[0].high, found.parameters[0].low);
}

TEST(LeastSquares, knows_no_interval_where_all_observations_are_used_up) {
  const Fit found = fit(
      [](std::span<const double> x) {
        return std::vector<double>{x[0], x[0] + x[1]};
      },
      std::vector<double>{2.0, 5.0}, std::vector<double>{1.0, 0.0});
  EXPECT_NEAR(found.parameters[0].value, 2, 1e-4);
  EXPECT_NEAR(found.parameters[1].value, 3, 1e-4);
  EXPECT_TRUE(std::isinf(found.parameters[0].high));
  EXPECT_TRUE(found.left_out.empty());
}

TEST(LeastSquares, refuses_what_cannot_be_estimated) {
  const Predict same = [](std::span<const double> x) { return std::vector<double>(3, x[0]); };
  EXPECT_THROW(static_cast<void>(
                   fit(same, std::vector<double>{1.0, 2.0, 3.0}, std::vector<double>{1.0, 1.0})),
               Error); // the second changes nothing
  EXPECT_THROW(
      static_cast<void>(fit(same, std::vector<double>{1.0}, std::vector<double>{1.0, 1.0})), Error);
  const Predict none = [](std::span<const double>) { return std::vector<double>(2, NAN); };
  EXPECT_THROW(
      static_cast<void>(fit(none, std::vector<double>{1.0, 2.0}, std::vector<double>{1.0})), Error);
}

TEST(StudentT, is_that_of_the_tables) {
  EXPECT_NEAR(student_t_95(1), 12.706, 1e-3);
  EXPECT_NEAR(student_t_95(2), 4.303, 1e-3);
  EXPECT_NEAR(student_t_95(9), 2.262, 1e-3);
  EXPECT_NEAR(student_t_95(100), 1.984, 1e-3);
}

} // namespace
} // namespace hypermile::estimate
