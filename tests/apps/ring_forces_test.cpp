#include "ring/forces.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace apps::ring {
namespace {

constexpr Problem problem{.name = 'T', .bodies = 50, .iterations = 1};

TEST(AppForces, two_bodies_attract_each_other_by_newtons_law_smeared_out) {
  Vectors position(2);
  position.axis(0)[1] = 3.0;
  position.axis(1)[1] = 4.0; // a distance of 5
  const std::vector<Attractor> others = {{2.0, 0.0, 0.0, 0.0}, {7.0, 3.0, 4.0, 0.0}};
  Vectors acceleration(2);
  attract(position, others, acceleration);
  const double cube = std::pow(25.0 + Problem::softening * Problem::softening, 1.5);
  EXPECT_NEAR(acceleration.axis(0)[0], 7.0 * 3.0 / cube, 1e-15);
  EXPECT_NEAR(acceleration.axis(1)[0], 7.0 * 4.0 / cube, 1e-15);
  EXPECT_NEAR(acceleration.axis(0)[1], -2.0 * 3.0 / cube, 1e-15);
  EXPECT_NEAR(acceleration.axis(1)[1], -2.0 * 4.0 / cube, 1e-15);
  EXPECT_EQ(acceleration.axis(2)[0], 0.0);
}

TEST(AppForces, come_to_no_total_force_and_stay_below_their_bound) {
  const auto bodies = draw_bodies(problem, {0, problem.bodies});
  Vectors acceleration(problem.bodies);
  attract(bodies.position, attractors(bodies), acceleration);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    double force = 0.0;
    for (std::size_t i = 0; i < problem.bodies; ++i) {
      force += bodies.mass[i] * acceleration.axis(axis)[i];
      EXPECT_LT(std::abs(acceleration.axis(axis)[i]), largest_acceleration());
    }
    EXPECT_NEAR(force, 0.0, rounding_bound(problem));
  }
}

TEST(AppBodies, are_the_same_whoever_has_them) {
  const auto all = draw_bodies(problem, {0, problem.bodies});
  const auto part = draw_bodies(problem, {17, 31});
  for (std::size_t i = 0; i < 14; ++i) {
    EXPECT_EQ(part.mass[i], all.mass[i + 17]);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      EXPECT_EQ(part.position.axis(axis)[i], all.position.axis(axis)[i + 17]);
      EXPECT_EQ(part.velocity.axis(axis)[i], all.velocity.axis(axis)[i + 17]);
    }
  }
}

} // namespace
} // namespace apps::ring
