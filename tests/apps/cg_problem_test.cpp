#include "cg/problem.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace apps::cg {
namespace {

TEST(CgProblem, the_published_zeta_verifies_in_each_class) {
  for (const char name : problem_classes) {
    EXPECT_EQ(problem_of_class(name).name, name);
    EXPECT_TRUE(problem_of_class(name).verified(problem_of_class(name).zeta)) << name;
  }
}

TEST(CgProblem, a_zeta_outside_the_tolerance_does_not_verify) {
  const auto& problem = problem_of_class('S');
  EXPECT_TRUE(problem.verified(problem.zeta * (1 + 0.9e-10)));
  EXPECT_FALSE(problem.verified(problem.zeta * (1 + 1.1e-10)));
  EXPECT_FALSE(problem.verified(problem.zeta * (1 - 1.1e-10)));
}

TEST(CgProblem, a_zeta_that_is_no_number_does_not_verify) {
  EXPECT_FALSE(problem_of_class('S').verified(std::numeric_limits<double>::quiet_NaN()));
  EXPECT_FALSE(problem_of_class('S').verified(std::numeric_limits<double>::infinity()));
}

} // namespace
} // namespace apps::cg
