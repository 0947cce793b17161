// libFuzzer: whatever bytes claim to be dynamic rules of Open MPI are refused with an Error, or
// mean the same when they are written again.

#include "fuzz/expect.hpp"
#include "tune/openmpi_rules.hpp"
#include "units/error.hpp"

#include <cstdint>
#include <string>

using namespace hypermile;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const auto rules = tune::parse_openmpi_rules(text, "fuzz");
    const std::string written = tune::openmpi_rules_text(rules);
    const auto again = tune::parse_openmpi_rules(written, "again");
    EXPECT_THAT(tune::openmpi_rules_text(again) == written);
    for (const auto& one : rules)
      EXPECT_THAT(!tune::expected_of(one, 4).empty());
  } catch (const Error&) {
    // refused, as it may be
  }
  return 0;
}
