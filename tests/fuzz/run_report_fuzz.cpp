// libFuzzer: any bytes that claim to be the report of a run are refused with an Error, or are
// a report that is the same when it is written and read again.

#include "fuzz/expect.hpp"
#include "runtime/exchange/run_report.hpp"
#include "units/error.hpp"

#include <cstdint>
#include <string>

using namespace hypermile;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string text;
  try {
    text = runtime::encode_run(runtime::decode_run({reinterpret_cast<const char*>(data), size}));
  } catch (const Error&) {
    return 0; // refused, as it may be
  }
  EXPECT_THAT(runtime::encode_run(runtime::decode_run(text)) == text);
  return 0;
}
