// libFuzzer: whatever bytes claim to be a schedule are refused with an Error, or have a bound for
// every moment of the day.

#include "fuzz/expect.hpp"
#include "io/power_schedule.hpp"
#include "units/error.hpp"

#include <cmath>
#include <cstdint>
#include <string_view>

using namespace hypermile;

namespace {

void check(const steer::PowerSchedule& schedule) {
  EXPECT_THAT(!schedule.entries.empty());
  Seconds before{-1};
  for (const auto& entry : schedule.entries) {
    EXPECT_THAT(entry.from > before && entry.from < Seconds{24 * 3600});
    EXPECT_THAT(std::isfinite(entry.power.value()) && entry.power > Watts{0});
    EXPECT_THAT(steer::power_at(schedule, entry.from) == entry.power);
    before = entry.from;
  }
  EXPECT_THAT(steer::power_at(schedule, Seconds{24 * 3600 - 1}) == schedule.entries.back().power);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    check(io::parse_power_schedule({reinterpret_cast<const char*>(data), size}, "fuzz"));
  } catch (const Error&) {
    // refused, as it may be
  }
  return 0;
}
