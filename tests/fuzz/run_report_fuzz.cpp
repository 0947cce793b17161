// libFuzzer: any text that claims to be the report of a run is refused with an Error, or is a
// report that is the same when it is written and read again.

#include "fuzz/expect.hpp"
#include "runtime/exchange/messages.hpp"
#include "units/error.hpp"

#include <cstdint>
#include <string>

using namespace hypermile;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string text;
  try {
    text = runtime::print_run(
        runtime::parse_run(std::string(reinterpret_cast<const char*>(data), size)));
  } catch (const Error&) {
    return 0; // refused, as it may be
  }
  EXPECT_THAT(runtime::print_run(runtime::parse_run(text)) == text);
  return 0;
}
