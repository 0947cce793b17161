// libFuzzer: whatever bytes claim to be a plan are refused with an Error, or are plans that have
// gears.

#include "fuzz/expect.hpp"
#include "io/plan_reader.hpp"
#include "units/error.hpp"

#include <cstdint>
#include <string_view>

using namespace hypermile;

namespace {

void read_in_full(std::string_view text) {
  try {
    for (const auto& plan : io::parse_stated_plans(text, "fuzz"))
      EXPECT_THAT(!plan.gears.empty());
  } catch (const Error&) {
    // refused, as it may be
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  read_in_full(text);
  try {
    const auto plans = io::parse_plans(text, "fuzz");
    EXPECT_THAT(!plans.empty());
    for (const auto& gears : plans)
      EXPECT_THAT(!gears.empty());
  } catch (const Error&) {
    // refused, as it may be
  }
  return 0;
}
