#include "tune/chosen.hpp"

#include "collective/calibration.hpp"

#include <gtest/gtest.h>

namespace hypermile::tune {
namespace {

using collective::Aim;
using collective::Calibration;

/// Of two algorithms that win half of six passes each, and of the library's own choice.
Calibration two_equals(double of_library, const std::vector<std::size_t>& sizes_b) {
  Calibration calibration;
  calibration.conditions.collective = "bcast";
  calibration.conditions.library = collective::Library::openmpi;
  for (const std::size_t size_b : sizes_b)
    for (int pass = 0; pass < 6; ++pass) {
      const double time_s = 1e-9 * static_cast<double>(size_b);
      const double other = pass % 2 == 0 ? 1.02 : 0.985;
      const auto add = [&](const std::string& name, double factor) {
        collective::cell_of(calibration, 1, 4, {.algorithm = name}, size_b)
            .times.emplace_back(factor * time_s);
      };
      add("binomial", 1);
      add("chain", other);
      add("default", of_library * (pass % 3 == 0 ? 0.97 : 1.01));
    }
  return calibration;
}

std::vector<std::string> names(const Calibration& calibration) {
  std::vector<std::string> all;
  const auto choices = choose_all(calibration, {.least = Aim::Least::time}, false);
  for (const ChosenFrom& from : choices.chosen.at(0).from)
    all.push_back(from.variant ? from.variant->algorithm : "");
  return all;
}

TEST(Chosen, is_one_of_several_equals_where_each_surely_beats_the_library) {
  const auto calibration = two_equals(2, {1024, 2048, 4096});
  const auto all = choose_all(calibration, {.least = Aim::Least::time}, false);
  ASSERT_EQ(all.chosen.size(), 1U);
  ASSERT_EQ(all.chosen[0].from.size(), 3U);
  EXPECT_FALSE(all.chosen[0].from[0].variant);
  EXPECT_EQ(all.chosen[0].from[1].size_b, 1024U);
  EXPECT_TRUE(all.chosen[0].from[1].variant);
  EXPECT_EQ(all.chosen[0].from[2].size_b, 4097U);
  EXPECT_FALSE(all.chosen[0].from[2].variant);
}

TEST(Chosen, is_left_to_the_library_where_it_is_about_as_good) {
  EXPECT_EQ(names(two_equals(1.005, {1024, 2048})), std::vector<std::string>{""});
}

/// Also where it is better at one of two sizes only.
TEST(Chosen, is_left_to_the_library_where_it_may_be_better) {
  auto calibration = two_equals(2, {1024, 4096});
  for (auto& time : collective::cell_of(calibration, 1, 4, {.algorithm = "default"}, 4096).times)
    time = Seconds{1e-6};
  const auto all = choose_all(calibration, {.least = Aim::Least::time}, false);
  ASSERT_EQ(all.chosen[0].from.size(), 3U);
  EXPECT_EQ(all.chosen[0].from[1].size_b, 1024U);
  EXPECT_LT(all.chosen[0].from[2].size_b, 1400U); // four sizes to each doubling
  EXPECT_FALSE(all.chosen[0].from[2].variant);
}

} // namespace
} // namespace hypermile::tune
