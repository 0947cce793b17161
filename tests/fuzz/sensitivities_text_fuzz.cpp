// libFuzzer: whatever bytes claim to be sensitivities are refused with an Error, or are from 0 to 1
// and the same when they are written and read again.

#include "fuzz/expect.hpp"
#include "io/sensitivities_text.hpp"
#include "units/error.hpp"

#include <cstdint>
#include <string_view>

using namespace hypermile;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto all = io::parse_sensitivities({reinterpret_cast<const char*>(data), size}, "fuzz");
    const std::string text = io::print_sensitivities(all);
    EXPECT_THAT(io::parse_sensitivities(text, "fuzz") == all);
    const double any = all.before("Allreduce", 2, 1);
    EXPECT_THAT(any >= 0 && any <= 1);
  } catch (const Error&) {
    // refused, as it may be
  }
  return 0;
}
