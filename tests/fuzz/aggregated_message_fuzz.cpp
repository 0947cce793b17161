// libFuzzer: any bytes from a neighbour in the tree are refused with an Error, or are a message
// that is the same when it is passed on.

#include "fuzz/expect.hpp"
#include "runtime/exchange/aggregated_message.hpp"
#include "units/error.hpp"

#include <cstdint>

using namespace hypermile;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr int ranks = 64;
  runtime::AggregatedMessage::Bytes bytes;
  try {
    bytes = runtime::pack(runtime::unpack({data, data + size}, ranks));
  } catch (const Error&) {
    return 0; // refused, as it may be
  }
  EXPECT_THAT(runtime::pack(runtime::unpack(bytes, ranks)) == bytes);
  return 0;
}
