// libFuzzer: whatever bytes claim to be gears are refused with an Error, or are gears that are the
// same when they are written and read again.

#include "fuzz/expect.hpp"
#include "io/gears_text.hpp"
#include "units/error.hpp"

#include <cstdint>
#include <string_view>

using namespace hypermile;

namespace {

void check(const io::GearChoice& choice) {
  if (const auto* gears = std::get_if<std::vector<model::Gear>>(&choice)) {
    EXPECT_THAT(gears->size() > 1);
    EXPECT_THAT(io::parse_gears(io::print_gears(*gears)) == *gears);
  }
  if (const auto* types = std::get_if<io::GearsOfTypes>(&choice))
    EXPECT_THAT(!types->empty());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    for (const auto& line :
         io::parse_gear_lines({reinterpret_cast<const char*>(data), size}, "fuzz"))
      check(line.gears);
  } catch (const Error&) {
    // refused, as it may be
  }
  return 0;
}
