// libFuzzer: whatever bytes claim to be a journal are refused with an Error, or are one. What is
// read of it, without the lines that were passed over, is the same when it is written and read
// again, and each of these lines is reported as a line that a terminal can show.

#include "control/journal.hpp"
#include "fuzz/expect.hpp"
#include "units/error.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

using namespace hypermile;

namespace {

std::string written(const control::Journal& journal) {
  if (journal.boot.empty())
    return "";
  std::string text = control::begin_line(journal.boot);
  if (journal.owner)
    text += control::owner_line(*journal.owner);
  for (const control::Entry& entry : journal.entries)
    text += control::was_line(entry);
  return text;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  control::Journal journal;
  try {
    journal = control::parse_journal({reinterpret_cast<const char*>(data), size}, "fuzz");
  } catch (const Error&) {
    return 0; // refused, as it may be
  }
  for (const std::string& bad : journal.bad)
    EXPECT_THAT(bad.starts_with("fuzz:") && bad.size() < 200 &&
                std::ranges::all_of(bad, [](char c) { return c >= ' ' && c <= '~'; }));
  for (const control::Entry& entry : journal.entries)
    EXPECT_THAT(control::can_be_journaled(entry));
  journal.bad.clear();
  EXPECT_THAT(control::parse_journal(written(journal), "again") == journal);
  return 0;
}
