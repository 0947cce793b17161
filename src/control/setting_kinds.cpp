#include "control/setting_kinds.hpp"

#include "control/small_file.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <sstream>

namespace hypermile::control {
namespace {

namespace fs = std::filesystem;

std::string file_beside(const Entry& entry, const char* name) {
  return fs::path(entry.path).replace_filename(name).string();
}

std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, status] = std::from_chars(text.data(), end, number);
  return status == std::errc{} && stop == end ? std::optional(number) : std::nullopt;
}

/// Cuts `first` off; false: the text does not begin with it.
bool take(std::string_view& text, std::string_view first) {
  if (!text.starts_with(first))
    return false;
  text.remove_prefix(first.size());
  return true;
}

/// Cuts digits off; false: there is none.
bool take_digits(std::string_view& text, std::string_view digits = "0123456789") {
  const auto count = std::min(text.find_first_not_of(digits), text.size());
  text.remove_prefix(count);
  return count > 0;
}

/// The entries of a folder; empty where it cannot be read.
std::vector<fs::path> entries_of(const std::string& folder) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    entries.push_back(entry->path());
  return entries;
}

// Governors and frequencies of CPUs

constexpr std::array<std::string_view, 4> frequency_names{"scaling_governor", "scaling_max_freq",
                                                          "scaling_min_freq", "scaling_setspeed"};

bool is_frequency(std::string_view path, std::string_view sysfs) {
  return take(path, sysfs) && take(path, "/devices/system/cpu/") &&
         std::ranges::find(frequency_names, path.substr(path.rfind('/') + 1)) !=
             frequency_names.end();
}

std::uint64_t read_limit(const Entry& entry, const char* name) {
  const std::string path = file_beside(entry, name);
  const auto khz = parse_number(read_small_file(path));
  if (!khz)
    throw Error(ErrorKind::hardware, path + " holds no frequency");
  return *khz;
}

std::string allowed_governor(const Entry& entry) {
  const std::string file = file_beside(entry, "scaling_available_governors");
  std::istringstream governors(read_small_file(file));
  for (std::string governor; governors >> governor;)
    if (governor == entry.value)
      return governor;
  throw Error(ErrorKind::hardware, file + " does not list it");
}

/// The frequency in kHz of the journal, as far as these files beside it allow.
std::string within(const Entry& entry, const char* lowest_in, const char* highest_in) {
  const auto wanted = parse_number(entry.value);
  if (!wanted)
    throw Error(ErrorKind::hardware, "this is no frequency in kHz");
  const std::uint64_t lowest = read_limit(entry, lowest_in);
  const std::uint64_t highest = read_limit(entry, highest_in);
  return std::to_string(std::clamp(*wanted, std::min(lowest, highest), highest));
}

std::string allowed_frequency(const Entry& entry) {
  const std::string name = fs::path(entry.path).filename();
  if (name == "scaling_governor")
    return allowed_governor(entry);
  // What Linux says instead of a frequency while the governor is another one than userspace.
  if (name == "scaling_setspeed" && entry.value == "<unsupported>")
    return entry.value;
  return within(entry, "cpuinfo_min_freq", "cpuinfo_max_freq");
}

std::vector<std::string> frequency_files(const std::string& sysfs) {
  std::vector<std::string> files;
  for (const fs::path& policy : entries_of(sysfs + "/devices/system/cpu/cpufreq"))
    for (const std::string_view name : frequency_names)
      files.push_back(policy / name);
  return files;
}

// Power limits of processors

/// Cuts "intel-rapl:0/" off: a processor as a whole, by any of the drivers.
bool take_package(std::string_view& path) {
  if (!take(path, "intel-rapl"))
    return false;
  const auto colon = path.find(':');
  if (colon == path.npos || path.substr(0, colon).find('/') != path.npos)
    return false;
  path.remove_prefix(colon + 1);
  return take_digits(path, "0123456789abcdef") && take(path, "/");
}

bool is_power_limit(std::string_view path, std::string_view sysfs) {
  if (!take(path, sysfs) || !take(path, "/class/powercap/") || !take_package(path))
    return false;
  return path == "enabled" ||
         (take(path, "constraint_") && take_digits(path) && path == "_power_limit_uw");
}

/// No processor draws more. Boards whose makers want no limit set one of some kilowatts, above
/// what the processor is made for, so that this is no bound.
constexpr std::uint64_t most_microwatts = 100'000'000'000;

std::string allowed_power_limit(const Entry& entry) {
  if (fs::path(entry.path).filename() == "enabled") {
    if (entry.value != "0" && entry.value != "1")
      throw Error(ErrorKind::hardware, "this is neither 0 nor 1");
    return entry.value;
  }
  const auto microwatts = parse_number(entry.value);
  if (!microwatts || *microwatts > most_microwatts)
    throw Error(ErrorKind::hardware, "this is no power in uW");
  return std::to_string(*microwatts);
}

std::vector<std::string> power_limit_files(const std::string& sysfs) {
  std::vector<std::string> files;
  for (const fs::path& zone : entries_of(sysfs + "/class/powercap"))
    for (const fs::path& file : entries_of(zone))
      if (is_power_limit(file.string(), sysfs))
        files.push_back(file);
  return files;
}

// Uncore frequencies of processors

constexpr std::array<std::string_view, 2> uncore_names{"max_freq_khz", "min_freq_khz"};

std::string uncore_folder(std::string_view sysfs) {
  return std::string(sysfs) + "/devices/system/cpu/intel_uncore_frequency";
}

/// In the folder of a processor ("package_00_die_00") or of a part of it ("uncore00").
bool is_uncore(std::string_view path, std::string_view sysfs) {
  if (!take(path, uncore_folder(sysfs)) || !take(path, "/"))
    return false;
  const auto slash = path.find('/');
  return slash != path.npos && slash > 0 &&
         std::ranges::find(uncore_names, path.substr(slash + 1)) != uncore_names.end();
}

/// Between what the limits were when the driver was loaded.
std::string allowed_uncore(const Entry& entry) {
  return within(entry, "initial_min_freq_khz", "initial_max_freq_khz");
}

std::vector<std::string> uncore_files(const std::string& sysfs) {
  std::vector<std::string> files;
  for (const fs::path& domain : entries_of(uncore_folder(sysfs)))
    for (const std::string_view name : uncore_names)
      files.push_back(domain / name);
  return files;
}

constexpr std::array kinds{
    SettingKind{is_frequency, allowed_frequency, frequency_files},
    SettingKind{is_uncore, allowed_uncore, uncore_files},
    SettingKind{is_power_limit, allowed_power_limit, power_limit_files},
};

} // namespace

std::span<const SettingKind> setting_kinds() { return kinds; }

} // namespace hypermile::control
