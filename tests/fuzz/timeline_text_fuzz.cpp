// libFuzzer: whatever bytes claim to be a timeline are refused with an Error, or are one that is
// the same when it is written and read again.

#include "fuzz/expect.hpp"
#include "io/timeline_text.hpp"
#include "units/error.hpp"

#include <cstdint>
#include <string>

using namespace hypermile;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string text;
  try {
    text =
        io::print_timeline(io::parse_timeline({reinterpret_cast<const char*>(data), size}, "fuzz"));
  } catch (const Error&) {
    return 0; // refused, as it may be
  }
  EXPECT_THAT(io::print_timeline(io::parse_timeline(text, "again")) == text);
  return 0;
}
