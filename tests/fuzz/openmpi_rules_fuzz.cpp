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
    const auto& bcast = collective::collective_named("bcast");
    const std::string text(reinterpret_cast<const char*>(data), size);
    const auto rules = tune::parse_openmpi_rules(bcast, text, "fuzz");
    const std::string written = tune::openmpi_rules_text(bcast, rules);
    const auto again = tune::parse_openmpi_rules(bcast, written, "again");
    EXPECT_THAT(tune::openmpi_rules_text(bcast, again) == written);
    EXPECT_THAT(!tune::expected_of(bcast, rules, 4).empty());
  } catch (const Error&) {
    // refused, as it may be
  }
  return 0;
}
