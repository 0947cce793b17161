// libFuzzer: any bytes from another rank are refused with an Error, or are a message that is the
// same when it is sent on.

#include "fuzz/expect.hpp"
#include "runtime/exchange/messages.hpp"
#include "units/error.hpp"

#include <cstdint>

using namespace hypermile;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  runtime::Bytes bytes;
  try {
    bytes = runtime::encode(runtime::decode({data, data + size}));
  } catch (const Error&) {
    return 0; // refused, as it may be
  }
  EXPECT_THAT(runtime::encode(runtime::decode(bytes)) == bytes);
  return 0;
}
