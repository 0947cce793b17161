#include "control/setting.hpp"

#include "control/setting_kinds.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>

namespace hypermile::control {
namespace {

namespace fs = std::filesystem;

/// Null: there is none.
const SettingKind* kind_of(const std::string& path, const std::string& sysfs) {
  if (fs::path(path).lexically_normal().string() != path)
    return nullptr;
  const auto all = setting_kinds();
  const auto found =
      std::ranges::find_if(all, [&](const SettingKind& one) { return one.has(path, sysfs); });
  return found == all.end() ? nullptr : &*found;
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
  return kind_of(path, sysfs) != nullptr;
}

std::string allowed_value(const Entry& entry, const std::string& sysfs) {
  const SettingKind* const found = kind_of(entry.path, sysfs);
  if (found == nullptr)
    throw Error(ErrorKind::hardware,
                fmt::format("this is no setting below {} that hypermile makes", sysfs));
  return found->allowed_value(entry);
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
  for (const SettingKind& one : setting_kinds())
    for (const std::string& file : one.files(sysfs))
      if (may_write(user, file))
        return true;
  return false;
}

std::string name_of_user(uid_t user) {
  const Account account = account_of(user);
  return account.found ? account.entry.pw_name : std::to_string(user);
}

} // namespace hypermile::control
