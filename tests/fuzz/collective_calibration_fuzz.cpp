// libFuzzer: whatever bytes claim to be a calibration are refused with an Error, or can be written
// again and estimated from.

#include "collective/model.hpp"
#include "fuzz/expect.hpp"
#include "tune/calibration_json.hpp"
#include "units/error.hpp"

#include <cmath>
#include <cstdint>
#include <string>

using namespace hypermile;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const auto calibration = tune::parse_calibration(text, "fuzz");
    const std::string written = tune::calibration_json(calibration);
    EXPECT_THAT(tune::calibration_json(tune::parse_calibration(written, "again")) == written);
    for (const auto& estimate :
         collective::Model(calibration)
             .estimate({.nodes = 2, .processes_per_node = 2, .size_b = 100000}))
      EXPECT_THAT(estimate.time.value.value() >= 0);
  } catch (const Error&) {
    // refused, as it may be
  }
  return 0;
}
