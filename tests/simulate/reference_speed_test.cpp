#include "simulate/reference_speed.hpp"

#include "simulate/process.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <csignal>

namespace hypermile::simulate {
namespace {

TEST(reference_speed, is_refused_for_a_platform_that_does_not_say_what_a_pair_costs) {
  Placement placement;
  placement.platform_name = "mine";
  try {
    (void)measure_reference_speed(placement);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::config);
    const std::string what = error.what();
    EXPECT_NE(what.find("platform 'mine' does not say how fast"), std::string::npos) << what;
    EXPECT_NE(what.find("--reference-speed"), std::string::npos) << what;
  }
}

TEST(reference_speed, is_in_the_unit_of_the_platform) {
  Placement small;
  small.ep_pair_work = Work{1};
  Placement large;
  large.ep_pair_work = Work{1e6};
  // The machine is the same; a factor of a thousand is left for its moods.
  EXPECT_GT(measure_reference_speed(large) / measure_reference_speed(small), 1e3);
  EXPECT_GT(measure_reference_speed(small).value(), 0);
}

TEST(reference_speed, is_not_measured_further_once_the_user_has_interrupted) {
  Placement placement;
  placement.ep_pair_work = Work{1};
  const Interruption interruption;
  ::raise(SIGTERM);
  try {
    (void)measure_reference_speed(placement);
    FAIL();
  } catch (const Interrupted& interrupted) {
    EXPECT_EQ(interrupted.signal, SIGTERM);
  }
}

} // namespace
} // namespace hypermile::simulate
