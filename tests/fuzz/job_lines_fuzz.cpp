// libFuzzer: whatever bytes claim to be lines of jobs are refused with an Error, or are jobs that
// are the same when they are written and read again.

#include "accounting/job_line.hpp"
#include "fuzz/expect.hpp"
#include "units/error.hpp"

#include <cstdint>
#include <string>
#include <string_view>

using namespace hypermile;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto jobs =
        accounting::parse_job_lines({reinterpret_cast<const char*>(data), size}, "fuzz");
    std::string text;
    for (const auto& job : jobs)
      text += accounting::print_job_line(job);
    std::string again;
    for (const auto& job : accounting::parse_job_lines(text, "again"))
      again += accounting::print_job_line(job);
    EXPECT_THAT(again == text);
  } catch (const Error&) {
    // refused, as it may be
  }
  return 0;
}
