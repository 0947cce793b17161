// libFuzzer: whatever bytes claim to be results are refused with an Error, or can be compared.

#include "compare/comparison.hpp"
#include "compare/text.hpp"
#include "fuzz/expect.hpp"
#include "units/error.hpp"

#include <cmath>
#include <cstdint>
#include <string>

using namespace hypermile;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const auto runs = compare::parse_results(text, "fuzz");
    const auto comparison = compare::compare_runs({.a = {"fuzz"}, .b = {"fuzz"}}, runs, runs);
    for (const compare::Pair& pair : comparison.pairs) {
      EXPECT_THAT(pair.time.times() == 1);
      EXPECT_THAT(!pair.energy || pair.energy->times() == 1);
      EXPECT_THAT(!pair.time.ratio || (pair.time.ratio->low <= 1 && pair.time.ratio->high >= 1));
    }
    EXPECT_THAT(!compare::comparison_text(comparison, {}, {}).empty());
    EXPECT_THAT(!compare::comparison_json(comparison, {}, {}).empty());
  } catch (const Error&) {
    // refused, as it may be
  }
  return 0;
}
