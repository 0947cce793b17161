// libFuzzer: any text is refused with an Error, or is a finite quantity.

#include "fuzz/expect.hpp"
#include "units/error.hpp"
#include "units/parse.hpp"

#include <cmath>
#include <cstdint>
#include <string_view>

namespace {

using namespace hypermile;

template <class Parse> void expect_finite(std::string_view text, const Parse& parse) {
  try {
    EXPECT_THAT(std::isfinite(parse(text)));
  } catch (const Error&) {
    // refused, as it may be
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  expect_finite(text, [](auto t) { return parse_seconds(t).value(); });
  expect_finite(text, [](auto t) { return parse_joules(t).value(); });
  expect_finite(text, [](auto t) { return parse_watts(t).value(); });
  expect_finite(text, [](auto t) { return parse_hertz(t).value(); });
  expect_finite(text, [](auto t) { return parse_speed(t).value(); });
  expect_finite(text, [](auto t) { return parse_bandwidth(t).value(); });
  expect_finite(text, [](auto t) { return parse_rate(t).value(); });
  expect_finite(text, [](auto t) { return parse_ratio(t); });
  expect_finite(text, [](auto t) { return parse_slowdown(t); });
  return 0;
}
