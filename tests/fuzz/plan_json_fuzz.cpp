// libFuzzer: whatever bytes claim to be a plan are refused with an Error, or are plans that have
// gears.

#include "fuzz/expect.hpp"
#include "io/plan_reader.hpp"
#include "units/error.hpp"

#include <cstdint>
#include <string_view>

using namespace hypermile;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto plans = io::parse_plans({reinterpret_cast<const char*>(data), size}, "fuzz");
    EXPECT_THAT(!plans.empty());
    for (const auto& gears : plans)
      EXPECT_THAT(!gears.empty());
  } catch (const Error&) {
    // refused, as it may be
  }
  return 0;
}
