// libFuzzer: whatever bytes claim to be a memory are refused with an Error; or they are one that
// can be written and read again, and from which a plan can be made or refused. The checksum is put
// right, so that not everything is refused for that.

#include "fuzz/expect.hpp"
#include "learn/memory.hpp"
#include "learn/starting_plan.hpp"
#include "units/checksum.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <string>

using namespace hypermile;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string content(reinterpret_cast<const char*>(data), size);
  const std::string file =
      fmt::format("hypermile/memory/2\n{:016x}\n", checksum(content)) + content;
  learn::Memory memory;
  try {
    memory = learn::parse_memory(file, "fuzz");
  } catch (const Error&) {
    return 0; // refused, as it may be
  }
  const learn::Memory again = learn::parse_memory(learn::print_memory(memory), "again");
  EXPECT_THAT(learn::key_of(again.identity) == learn::key_of(memory.identity));
  try {
    (void)learn::make_plan(memory, {}, {}, Seconds{1e-3});
  } catch (const Error&) {
  }
  return 0;
}
