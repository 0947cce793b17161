#include "backend/cpufreq/policy_files.hpp"

#include "control/small_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cmath>

namespace hypermile::cpufreq {

std::string path_of(const Policy& policy, const char* file) { return policy.folder + "/" + file; }

std::string read_text(const Policy& policy, const char* file) {
  return control::read_small_file(path_of(policy, file));
}

Hertz read_frequency(const Policy& policy, const char* file) {
  const std::string text = read_text(policy, file);
  try {
    return parse_khz(text);
  } catch (const Error&) {
    throw Error(ErrorKind::hardware,
                fmt::format("{} holds '{}', which is no frequency", path_of(policy, file), text));
  }
}

std::string in_khz(Hertz frequency) {
  return std::to_string(std::llround(frequency.value() / 1e3));
}

Hertz parse_khz(const std::string& text) {
  std::int64_t khz = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, status] = std::from_chars(text.data(), end, khz);
  if (status != std::errc{} || stop != end || khz <= 0)
    throw Error(ErrorKind::hardware, fmt::format("'{}' is no frequency in kHz", text));
  return Hertz{1e3 * static_cast<double>(khz)};
}

bool is_online(const Policy& policy) {
  try {
    return !read_text(policy, "affected_cpus").empty();
  } catch (const control::FileError& error) { // EBUSY, or it is gone; other failures tell nothing
    return error.number() != EBUSY && error.number() != ENOENT && error.number() != ENODEV;
  }
}

} // namespace hypermile::cpufreq
