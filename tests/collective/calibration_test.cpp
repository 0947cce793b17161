#include "collective/calibration.hpp"

#include "units/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace hypermile::collective {
namespace {

const std::vector<Variant> variants{{.algorithm = "binomial"},
                                    {.algorithm = "pipeline", .segment_b = 131072}};
const std::vector<std::size_t> sizes{65536, 131072, 262144};

using Key = std::tuple<std::size_t, Variant, std::size_t>;

Key key(const Step& step) { return {step.pass, step.variant, step.size_b}; }

TEST(Calibration, each_pass_has_each_cell_once_in_an_order_of_its_own) {
  const Calibration calibration{.seed = 7, .passes = 4};
  const auto steps = missing_steps(calibration, variants, sizes, 1, 4, calibration.passes);
  ASSERT_EQ(steps.size(), 24U);
  std::set<Key> seen;
  std::set<std::vector<std::size_t>> orders;
  for (std::size_t pass = 0; pass < 4; ++pass) {
    std::vector<std::size_t> order;
    for (std::size_t i = 6 * pass; i < 6 * (pass + 1); ++i) {
      EXPECT_EQ(steps[i].pass, pass);
      seen.insert(key(steps[i]));
      order.push_back(steps[i].size_b + steps[i].variant.segment_b);
    }
    orders.insert(order);
  }
  EXPECT_EQ(seen.size(), 24U);
  EXPECT_GT(orders.size(), 1U);
}

TEST(Calibration, the_seed_gives_the_order) {
  const auto order = [](std::uint64_t seed) {
    std::vector<Key> keys;
    for (const Step& step : missing_steps({.seed = seed}, variants, sizes, 1, 4, 2))
      keys.push_back(key(step));
    return keys;
  };
  EXPECT_EQ(order(1), order(1));
  EXPECT_NE(order(1), order(2));
}

/// Whoever asks for too many and interrupts it may ask for less.
TEST(Calibration, fewer_passes_than_were_asked_for_before_are_enough) {
  Calibration calibration{.seed = 3, .passes = 1000};
  for (const Step& step : missing_steps(calibration, variants, sizes, 1, 4, 2))
    cell_of(calibration, 1, 4, step.variant, step.size_b).times.emplace_back(1.0);
  EXPECT_TRUE(missing_steps(calibration, variants, sizes, 1, 4, 2).empty());
  EXPECT_EQ(missing_steps(calibration, variants, sizes, 1, 4, 3).size(), 6U);
}

/// Wherever it is interrupted, what is done and what is missing are together the whole, in the same
/// order.
TEST(Calibration, resumes_where_it_was_interrupted) {
  const Calibration fresh{.seed = 3, .passes = 3};
  const auto all = missing_steps(fresh, variants, sizes, 1, 4, 3);
  for (std::size_t done = 0; done <= all.size(); ++done) {
    Calibration calibration = fresh;
    for (std::size_t i = 0; i < done; ++i)
      cell_of(calibration, 1, 4, all[i].variant, all[i].size_b).times.emplace_back(1.0);
    const auto missing = missing_steps(calibration, variants, sizes, 1, 4, 3);
    ASSERT_EQ(missing.size(), all.size() - done);
    for (std::size_t i = 0; i < missing.size(); ++i)
      EXPECT_EQ(key(missing[i]), key(all[done + i]));
    EXPECT_EQ(missing_steps(calibration, variants, sizes, 2, 4, 3).size(), all.size());
  }
}

TEST(Calibration, sizes_are_read_as_they_are_printed) {
  for (const std::size_t size_b : {1UL, 1000UL, 65536UL, 3UL << 20U, 1UL << 30U, 1025UL})
    EXPECT_EQ(parse_size(size_text(size_b)), size_b);
  EXPECT_EQ(parse_size("1.5MB"), 1500000U);
  for (const char* const wrong :
       {"", "5", "MiB", "-1MiB", "0B", "2GiB", "2147483648B", "1mib", "1 MiB", "nanB"})
    EXPECT_THROW((void)parse_size(wrong), Error) << wrong;
}

TEST(Registry, numbers_and_names_are_unique_in_each_library) {
  for (const Collective& collective : collectives())
    for (const Library library : {Library::openmpi, Library::mpich}) {
      std::set<int> numbers;
      std::set<std::string_view> names;
      for (const Algorithm& algorithm : algorithms_of(collective, library)) {
        EXPECT_GE(algorithm.number, 1);
        EXPECT_TRUE(numbers.insert(algorithm.number).second);
        EXPECT_TRUE(names.insert(algorithm.name).second);
        EXPECT_EQ(find_algorithm(collective, library, algorithm.name), &algorithm);
      }
      EXPECT_EQ(library_named(name_of(library)), library);
    }
  EXPECT_THROW((void)collective_named("nothing"), Error);
}

} // namespace
} // namespace hypermile::collective
