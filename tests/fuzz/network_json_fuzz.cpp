// libFuzzer: whatever bytes claim to be a network are refused with an Error, or are one that is
// the same when it is written and read again.

#include "fuzz/expect.hpp"
#include "io/network_json.hpp"
#include "units/error.hpp"

#include <cstdint>
#include <string>

using namespace hypermile;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string text;
  try {
    text =
        io::print_network(io::parse_network({reinterpret_cast<const char*>(data), size}, "fuzz"));
  } catch (const Error&) {
    return 0; // refused, as it may be
  }
  EXPECT_THAT(io::print_network(io::parse_network(text, "again")) == text);
  return 0;
}
