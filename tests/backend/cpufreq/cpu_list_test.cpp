#include "backend/cpufreq/cpu_list.hpp"

#include "units/error.hpp"

#include <gtest/gtest.h>

namespace hypermile::cpufreq {
namespace {

TEST(cpu_list, is_read_in_both_forms_of_sysfs) {
  EXPECT_EQ(parse_cpu_list("0-3,8"), (std::vector{0, 1, 2, 3, 8}));
  EXPECT_EQ(parse_cpu_list("0 1 16"), (std::vector{0, 1, 16}));
  EXPECT_EQ(parse_cpu_list(""), std::vector<int>{});
}

TEST(cpu_list, that_is_none_is_refused) {
  for (const char* text : {"a", "-1", "3-1", "1-", "1;2", "0-99999999999"})
    EXPECT_THROW(parse_cpu_list(text), Error) << text;
}

TEST(cpu_list, is_printed_short) {
  EXPECT_EQ(print_cpus({3}), "cpu 3");
  EXPECT_EQ(print_cpus({0, 1, 2, 3, 8}), "cpus 0-3,8");
  EXPECT_EQ(print_cpus({0, 16}), "cpus 0,16");
}

} // namespace
} // namespace hypermile::cpufreq
