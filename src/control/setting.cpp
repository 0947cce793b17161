#include "control/setting.hpp"

#include "control/small_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>

namespace hypermile::control {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 4> names{"scaling_governor", "scaling_max_freq",
                                                "scaling_min_freq", "scaling_setspeed"};

std::string cpu_folder(const std::string& sysfs) { return sysfs + "/devices/system/cpu/"; }

std::string file_beside(const Entry& entry, const char* name) {
  return fs::path(entry.path).replace_filename(name).string();
}

std::optional<std::uint64_t> parse_khz(const std::string& text) {
  std::uint64_t khz = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, status] = std::from_chars(text.data(), end, khz);
  return status == std::errc{} && stop == end ? std::optional(khz) : std::nullopt;
}

std::uint64_t read_limit(const Entry& entry, const char* name) {
  const std::string path = file_beside(entry, name);
  const auto khz = parse_khz(read_small_file(path));
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

/// An entry of the user database, and the memory that its texts are in.
struct Account {
  std::vector<char> memory = std::vector<char>(1 << 16);
  passwd entry{};
  bool found = false;
};

Account account_of(uid_t user) {
  Account account;
  passwd* result = nullptr;
  account.found = ::getpwuid_r(user, &account.entry, account.memory.data(), account.memory.size(),
                               &result) == 0 &&
                  result != nullptr;
  return account;
}

bool is_in_group(uid_t user, gid_t group) {
  const Account account = account_of(user);
  if (!account.found)
    return false;
  std::vector<gid_t> groups(1 << 10);
  auto count = static_cast<int>(groups.size());
  if (::getgrouplist(account.entry.pw_name, account.entry.pw_gid, groups.data(), &count) < 0)
    return false;
  groups.resize(static_cast<std::size_t>(count));
  return std::ranges::find(groups, group) != groups.end();
}

} // namespace

bool is_setting(const std::string& path, const std::string& sysfs) {
  if (!path.starts_with(cpu_folder(sysfs)) || fs::path(path).lexically_normal().string() != path)
    return false;
  return std::ranges::find(names, fs::path(path).filename().string()) != names.end();
}

std::string allowed_value(const Entry& entry) {
  const std::string name = fs::path(entry.path).filename();
  if (name == "scaling_governor")
    return allowed_governor(entry);
  // What Linux says instead of a frequency while the governor is another one than userspace.
  if (name == "scaling_setspeed" && entry.value == "<unsupported>")
    return entry.value;
  const auto wanted = parse_khz(entry.value);
  if (!wanted)
    throw Error(ErrorKind::hardware, "this is no frequency in kHz");
  const std::uint64_t lowest = read_limit(entry, "cpuinfo_min_freq");
  const std::uint64_t highest = read_limit(entry, "cpuinfo_max_freq");
  return std::to_string(std::clamp(*wanted, std::min(lowest, highest), highest));
}

bool may_write(uid_t user, const std::string& path) {
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0)
    return false;
  if (user == 0)
    return true;
  if (about.st_uid == user)
    return (about.st_mode & S_IWUSR) != 0;
  const bool in_group =
      (about.st_mode & (S_IWGRP | S_IWOTH)) != 0 && is_in_group(user, about.st_gid);
  return (about.st_mode & (in_group ? S_IWGRP : S_IWOTH)) != 0;
}

bool may_set_gears(uid_t user, const std::string& sysfs) {
  std::error_code error;
  for (fs::directory_iterator policy(cpu_folder(sysfs) + "cpufreq", error), end;
       !error && policy != end; policy.increment(error))
    for (const std::string_view name : names)
      if (may_write(user, policy->path() / name))
        return true;
  return false;
}

std::string name_of_user(uid_t user) {
  const Account account = account_of(user);
  return account.found ? account.entry.pw_name : std::to_string(user);
}

} // namespace hypermile::control
