// libFuzzer: whatever bytes claim to be the log of a wattmeter are refused with an Error, or are
// samples in the order of time whose energy is a number.

#include "backend/wattmeter/integration.hpp"
#include "backend/wattmeter/power_log.hpp"
#include "fuzz/expect.hpp"
#include "units/error.hpp"

#include <cmath>
#include <cstdint>
#include <string_view>

using namespace hypermile;
using namespace hypermile::backend::wattmeter;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  PowerLog log;
  try {
    log = parse_power_log(text, "fuzz");
  } catch (const Error&) {
    return 0; // refused, as it may be
  }
  for (const auto& [node, samples] : log) {
    const Seconds first = samples.front().time;
    const Seconds last = samples.back().time;
    EXPECT_THAT(first <= last);
    if (first == last)
      continue;
    const auto integral = integrate(samples, first, last, longest_gap(samples));
    EXPECT_THAT(std::isfinite(integral.energy.value()) && integral.energy >= Joules{});
    EXPECT_THAT(integral.coverage() >= 0 && integral.coverage() < 1.000001);
  }
  return 0;
}
