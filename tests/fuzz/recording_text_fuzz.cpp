// libFuzzer: whatever bytes claim to be a recording are refused with an Error, or are a recording
// that is the same when it is written and read again.

#include "fuzz/expect.hpp"
#include "io/recording_text.hpp"
#include "units/error.hpp"

#include <cstdint>
#include <string>

using namespace hypermile;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string text;
  try {
    text = io::print_recording(
        io::parse_recording({reinterpret_cast<const char*>(data), size}, "fuzz"));
  } catch (const Error&) {
    return 0; // refused, as it may be
  }
  EXPECT_THAT(io::print_recording(io::parse_recording(text, "again")) == text);
  return 0;
}
