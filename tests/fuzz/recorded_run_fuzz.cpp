// libFuzzer: whatever bytes claim to be a recorded run are refused with an Error; or they are one
// that can be written and read again, and of which can be told whether it can be repeated. Noise is
// compressed here, so that not everything is refused for its checksum.

#include "fuzz/expect.hpp"
#include "replay/compressed.hpp"
#include "replay/recorded_run.hpp"
#include "units/error.hpp"

#include <cstdint>
#include <string>

using namespace hypermile;

namespace {

void append(std::string& file, std::string_view content) {
  const std::string part = replay::compressed(content);
  for (unsigned shift = 0; shift < 64; shift += 8)
    file.push_back(static_cast<char>(std::uint64_t{part.size()} >> shift));
  file += part;
}

/// Parts end where the noise has its first byte again.
std::string in_parts(std::string_view noise) {
  std::string file = "hypermile/recorded-run/1\n";
  while (!noise.empty()) {
    const auto end = std::min(noise.find(noise.front(), 1), noise.size());
    append(file, noise.substr(1, end - 1));
    noise.remove_prefix(end);
  }
  return file;
}

void check(const std::string& file) {
  replay::RecordedRun run;
  try {
    run = replay::parse_recorded_run(file, "fuzz");
  } catch (const Error&) {
    return; // refused, as it may be
  }
  (void)replay::why_not_repeatable(run);
  (void)replay::remarks(run);
  const std::string printed = replay::print_recorded_run(run);
  EXPECT_THAT(replay::print_recorded_run(replay::parse_recorded_run(printed, "again")) == printed);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string noise(reinterpret_cast<const char*>(data), size);
  check(noise);
  check(in_parts(noise));
  return 0;
}
