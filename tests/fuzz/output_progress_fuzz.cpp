// libFuzzer: whatever a program prints, in whatever pieces, its progress never falls.

#include "backend/progress/output_progress.hpp"
#include "fuzz/expect.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>

using hypermile::backend::progress::OutputProgress;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t longest_piece = 7;
  OutputProgress progress("frame=? *([0-9.eE+-]+)");
  std::string_view text(reinterpret_cast<const char*>(data), size);
  double before = 0;
  while (!text.empty()) {
    const std::size_t piece = std::min(text.size(), longest_piece);
    progress.take(text.substr(0, piece));
    text.remove_prefix(piece);
    if (const auto done = progress.done()) {
      EXPECT_THAT(done->items >= before);
      before = done->items;
    }
  }
  return 0;
}
