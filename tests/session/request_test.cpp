#include "session/request.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

namespace hypermile::session {
namespace {

using steer::Bounds;
using steer::Objective;

const Bounds work{.deadline = Seconds{100}, .energy = Joules{500}, .items = 1000};

TEST(request, changes_one_bound_and_leaves_the_others) {
  const Bounds both{.power = Watts{90}, .throughput = Rate{200}};
  EXPECT_EQ(changed(both, "power=70W"), (Bounds{.power = Watts{70}, .throughput = Rate{200}}));
  EXPECT_EQ(changed(both, "throughput=6k/min"),
            (Bounds{.power = Watts{90}, .throughput = Rate{100}}));
  EXPECT_EQ(changed({}, "utilisation=80%").utilisation, 0.8);
  EXPECT_EQ(changed(work, "deadline=2h").deadline, Seconds{7200});
  EXPECT_EQ(changed(work, "energy=5kJ").energy, Joules{5000});
  EXPECT_EQ(changed(work, "items=1e6").items, 1e6);
  EXPECT_EQ(changed({}, "objective=min-energy").objective, Objective::least_energy);
  EXPECT_EQ(changed({}, "objective=min-power").objective, Objective::least_power);
  EXPECT_EQ(changed({}, "objective=max-throughput").objective, Objective::most_throughput);
}

TEST(request, takes_bounds_away) {
  EXPECT_EQ(changed({.power = Watts{90}}, "power=none"), Bounds{});
  EXPECT_EQ(changed({.throughput = Rate{90}}, "throughput=none"), Bounds{});
  EXPECT_EQ(changed({.utilisation = 0.5}, "utilisation=none"), Bounds{});
  EXPECT_EQ(changed({.objective = Objective::least_power}, "objective=none"), Bounds{});
  EXPECT_EQ(changed(work, "deadline=none").deadline, std::nullopt);
  EXPECT_EQ(changed(work, "energy=none").energy, std::nullopt);
  EXPECT_EQ(changed({}, "power=none"), Bounds{});
}

TEST(request, that_is_not_understood_is_refused) {
  for (const char* const text : {"",
                                 "=",
                                 "power",
                                 "power=",
                                 "power=90",
                                 "power=-5W",
                                 "power=0W",
                                 "power=nanW",
                                 "power=infW",
                                 "Power=5W",
                                 "power =5W",
                                 "power=5W x",
                                 "power=70W,throughput=5/s",
                                 "speed=5",
                                 "throughput=0/s",
                                 "throughput=5",
                                 "utilisation=0",
                                 "utilisation=1.1",
                                 "utilisation=x",
                                 "deadline=0s",
                                 "energy=0J",
                                 "items=0",
                                 "items=-5",
                                 "items=1e999",
                                 "items=nan",
                                 "items=5 ",
                                 "objective=",
                                 "objective=fast",
                                 "power=None"})
    EXPECT_THROW((void)changed(work, text), Error) << text;
}

TEST(request, that_names_no_bound_is_told_which_there_are) {
  try {
    (void)changed({}, "speed=5");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::config);
    EXPECT_STREQ(error.what(), "'speed' is not a bound; try: power, throughput, utilisation, "
                               "deadline, energy, items or objective, e.g. power=70W");
  }
}

TEST(request, that_makes_no_sense_with_the_other_bounds_is_refused) {
  EXPECT_THROW((void)changed({}, "deadline=5s"), Error);
  EXPECT_THROW((void)changed(work, "items=none"), Error);
  EXPECT_THROW((void)changed({.throughput = Rate{5}}, "utilisation=0.5"), Error);
}

} // namespace
} // namespace hypermile::session
