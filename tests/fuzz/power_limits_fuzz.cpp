// libFuzzer: whatever bytes claim to be power limits of a command line are refused with an Error,
// or are limits that a processor can have, the highest first. What a journal names and root would
// write is one of the files that hypermile sets, with a value that such a file can have.

#include "backend/cpufreq/uncore_gears.hpp"
#include "backend/powercap/limit_backend.hpp"
#include "control/setting.hpp"
#include "fuzz/expect.hpp"
#include "units/error.hpp"

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string>

using namespace hypermile;

namespace {

const std::string sysfs = "/no/sys";

void check_limits(const std::string& text) {
  try {
    const auto limits = backend::powercap::parse_power_limits(text);
    EXPECT_THAT(!limits.empty());
    for (std::size_t i = 0; i < limits.size(); ++i)
      EXPECT_THAT(limits[i] > Watts{} && std::isfinite(limits[i].value()) &&
                  (i == 0 || limits[i] < limits[i - 1]));
  } catch (const Error&) { // refused, as it may be
  }
}

/// The first line is a path below the folder of power limits, the second a value.
void check_setting(const std::string& text) {
  const auto end = text.find('\n');
  const control::Entry entry{sysfs + "/class/powercap/" + text.substr(0, end),
                             end == text.npos ? "" : text.substr(end + 1)};
  if (!control::is_setting(entry.path, sysfs))
    return;
  const std::filesystem::path path = entry.path;
  EXPECT_THAT(path.lexically_normal() == path);
  EXPECT_THAT(path.parent_path().parent_path() == sysfs + "/class/powercap");
  const std::string name = path.filename();
  EXPECT_THAT(name == "enabled" || name.ends_with("_power_limit_uw"));
  try {
    const std::string value = control::allowed_value(entry, sysfs);
    EXPECT_THAT(!value.empty() && value.find_first_not_of("0123456789") == value.npos);
  } catch (const Error&) { // refused, as it may be
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  check_limits(text);
  (void)cpufreq::check_uncore(text); // which says what is wrong, and throws nothing
  check_setting(text);
  return 0;
}
