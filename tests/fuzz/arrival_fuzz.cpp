// libFuzzer: any text is refused, or is a distribution that draws times in its range and is read
// the same from its own text.

#include "collective/arrival.hpp"
#include "fuzz/expect.hpp"

#include <cstdint>
#include <stdexcept>
#include <string_view>

using namespace hypermile;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto arrival = collective::parse_arrival({reinterpret_cast<const char*>(data), size});
    EXPECT_THAT(collective::parse_arrival(collective::arrival_text(arrival)) == arrival);
    for (std::uint64_t process = 0; process < 16; ++process) {
      const double late_s = collective::lateness_s(arrival, size, size, process);
      EXPECT_THAT(late_s >= 0 && late_s <= 10 * arrival.scale_s);
    }
  } catch (const std::invalid_argument&) {
    // refused, as it may be
  }
  return 0;
}
