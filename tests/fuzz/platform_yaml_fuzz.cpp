// libFuzzer: whatever bytes claim to be a platform are refused with an Error, or are a platform
// whose numbers can be computed with. Anything else is a bug.

#include "fuzz/expect.hpp"
#include "io/platform_yaml.hpp"
#include "units/error.hpp"

#include <cmath>
#include <cstdint>
#include <string>

namespace {

using namespace hypermile;

void check(const model::NodeType& type) {
  EXPECT_THAT(type.cores > 0 && type.speed > Speed{} && std::isfinite(type.speed.value()));
  EXPECT_THAT(type.gears.size() > 0 && type.power.size() == type.gears.size());
  const auto& limits = type.power_limits;
  EXPECT_THAT(limits.empty() || limits.size() == type.gears.size());
  for (std::size_t g = 0; g < limits.size(); ++g)
    EXPECT_THAT(limits[g] > Watts{} && std::isfinite(limits[g].value()) &&
                (g == 0 || limits[g] < limits[g - 1]));
  EXPECT_THAT(type.uncore.empty() || type.uncore.size() == type.gears.size());
  for (model::Gear g = 0; g < type.gears.size(); ++g) {
    EXPECT_THAT(std::isfinite(type.gears.scale(g)));
    EXPECT_THAT(std::isfinite(type.power[g].computing.value()));
    EXPECT_THAT(type.power[g].computing >= type.power[g].waiting);
    EXPECT_THAT(type.power[g].waiting >= Watts{} && type.power[g].idle >= Watts{});
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const model::Platform platform = io::parse_platform(text, "fuzz");
    EXPECT_THAT(!platform.groups.empty());
    for (const auto& group : platform.groups)
      check(group.type);
    EXPECT_THAT(!model::place(platform, 1).empty());
  } catch (const Error&) {
    // refused, as it may be
  }
  return 0;
}
