// libFuzzer: whatever bytes claim to be a memory are refused with an Error; or they are one that
// can be written and read again, and from which a plan and a platform can be made or refused, and
// with whose power the next run can begin. The checksum is put right, so that not everything is
// refused for that.

#include "fuzz/expect.hpp"
#include "io/platform_yaml.hpp"
#include "learn/learnt_platform.hpp"
#include "learn/memory.hpp"
#include "learn/starting_plan.hpp"
#include "runtime/decide/power_learner.hpp"
#include "units/checksum.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <string>

using namespace hypermile;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string content(reinterpret_cast<const char*>(data), size);
  const std::string file =
      fmt::format("hypermile/memory/4\n{:016x}\n", checksum(content)) + content;
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
  try {
    (void)io::parse_platform(learn::learnt_platform(memory, "fuzz"), "printed");
  } catch (const Error&) {
  }
  runtime::PowerLearner learner(memory.power);
  (void)learner.report();
  return 0;
}
