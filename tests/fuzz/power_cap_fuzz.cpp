// libFuzzer: whatever bytes claim to be caps on power are refused with an Error, or are caps above
// 0 that are the same when they are written and read again.

#include "fuzz/expect.hpp"
#include "io/power_cap.hpp"
#include "units/error.hpp"

#include <cstdint>
#include <string_view>

using namespace hypermile;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto caps = io::parse_power_caps({reinterpret_cast<const char*>(data), size});
    EXPECT_THAT(!caps.none());
    EXPECT_THAT(caps.average.value_or(Watts{1}) > Watts{});
    EXPECT_THAT(caps.peak.value_or(Watts{1}) > Watts{});
    EXPECT_THAT(io::parse_power_caps(io::print_power_caps(caps)) == caps);
  } catch (const Error&) {
    // refused, as it may be
  }
  return 0;
}
