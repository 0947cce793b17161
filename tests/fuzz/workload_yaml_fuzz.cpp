// libFuzzer: whatever bytes claim to be a workload are refused with an Error, or are a problem.

#include "fuzz/expect.hpp"
#include "io/platform_yaml.hpp"
#include "io/workload_yaml.hpp"
#include "units/error.hpp"

#include <cmath>
#include <cstdint>
#include <string>

namespace {

using namespace hypermile;

const char* const two_nodes = R"(
schema: hypermile/platform/1
name: two
description: two kinds of node
network: { link: { bandwidth: 1Gbps, latency: 50us } }
types:
  - { name: fast, count: 2, speed: 40Gf, gears: { max: 2GHz, min: 1GHz, step: 0.5GHz },
      power: { dynamic: 20W, static: 4W } }
  - { name: slow, count: 1, speed: 20Gf, gears: [ 1GHz, 0.8GHz ],
      power: { dynamic: 10W, static: 4W } }
)";

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const model::Platform platform = io::parse_platform(two_nodes, "two nodes");
  try {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const model::Problem problem = io::parse_workload(text, "fuzz", platform);
    EXPECT_THAT(problem.unit_count() > 0);
    EXPECT_THAT(std::isfinite(problem.baseline().time.value()));
    EXPECT_THAT(std::isfinite(problem.baseline().energy.value()));
  } catch (const Error&) {
    // refused, as it may be
  }
  return 0;
}
