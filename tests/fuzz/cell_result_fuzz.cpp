// libFuzzer: whatever bytes claim to be the result of a cell are refused with an Error, or are runs
// that can be compared.

#include "fuzz/expect.hpp"
#include "io/cell_result.hpp"
#include "units/error.hpp"

#include <cmath>
#include <cstdint>
#include <string>

using namespace hypermile;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const study::Outcome outcome = io::parse_cell_result(text, "fuzz", "0123456789abcdef");
    EXPECT_THAT(outcome.status != study::Outcome::Status::missing);
    EXPECT_THAT((outcome.status == study::Outcome::Status::done) == !outcome.runs.empty());
    for (const study::Run& run : outcome.runs)
      EXPECT_THAT(!std::isnan(study::effect_of(run, outcome.runs.front()).slowdown));
  } catch (const Error&) {
    // refused, as it may be
  }
  return 0;
}
