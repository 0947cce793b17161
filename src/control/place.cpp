#include "control/place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>

#include <sys/stat.h>
#include <unistd.h>

namespace hypermile::control {
namespace {

namespace fs = std::filesystem;

constexpr const char* sysfs_variable = "HYPERMILE_SYSFS";
constexpr const char* state_variable = "HYPERMILE_STATE";

std::string value_of(const char* variable) {
  const char* const value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

std::string without_slash(std::string folder) {
  while (folder.size() > 1 && folder.back() == '/')
    folder.pop_back();
  return folder;
}

/// A folder in which nobody but root can take another user's file away.
bool is_roots(const std::string& folder) {
  struct stat about {};
  if (::lstat(folder.c_str(), &about) != 0 || !S_ISDIR(about.st_mode) || about.st_uid != 0)
    return false;
  return (about.st_mode & S_ISVTX) != 0 || (about.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/// The number in PREFIX<number>SUFFIX.
std::optional<uid_t> number_in(std::string_view name, std::string_view prefix,
                               std::string_view suffix) {
  if (name.size() <= prefix.size() + suffix.size() || !name.starts_with(prefix) ||
      !name.ends_with(suffix))
    return std::nullopt;
  name.remove_prefix(prefix.size());
  name.remove_suffix(suffix.size());
  uid_t number = 0;
  const auto [stop, status] = std::from_chars(name.data(), name.data() + name.size(), number);
  const bool whole = status == std::errc{} && stop == name.data() + name.size();
  return whole ? std::optional(number) : std::nullopt;
}

/// Calls back with the name of all that is in a folder; with nothing where it cannot be read.
template <class Visit> void visit_folder(const fs::path& folder, const Visit& visit) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    visit(entry->path().filename().string());
}

std::vector<std::string> folders_of(const Place& place) {
  if (!place.state.empty())
    return {place.state};
  std::vector<std::string> folders;
  if (is_roots(place.shared))
    folders.push_back(place.shared);
  const fs::path shared(place.shared);
  visit_folder(shared.parent_path(), [&](const std::string& name) {
    if (number_in(name, shared.filename().string() + "-", "") &&
        !fs::is_symlink(shared.parent_path() / name))
      folders.push_back(shared.parent_path() / name);
  });
  return folders;
}

std::string own_folder(const Place& place) {
  if (!place.state.empty())
    return place.state;
  if (is_roots(place.shared) && ::eaccess(place.shared.c_str(), W_OK | X_OK) == 0)
    return place.shared;
  return fmt::format("{}-{}", place.shared, ::geteuid());
}

} // namespace

Place this_place() {
  Place place;
  if (const std::string sysfs = value_of(sysfs_variable); !sysfs.empty())
    place.sysfs = without_slash(fs::absolute(sysfs).lexically_normal());
  if (const std::string state = value_of(state_variable); !state.empty())
    place.state = state_folder(state);
  return place;
}

bool is_place_variable(const std::string& variable) {
  return variable == sysfs_variable || variable == state_variable;
}

std::string state_folder(const std::string& name) {
  return without_slash(fs::weakly_canonical(fs::absolute(name)));
}

std::string journal_path(const Place& place) {
  return fmt::format("{}/{}.{}.journal", own_folder(place), node_name(), ::geteuid());
}

std::vector<NamedJournal> journals_of_node(const Place& place) {
  std::vector<NamedJournal> journals;
  for (const std::string& folder : folders_of(place))
    visit_folder(folder, [&](const std::string& name) {
      if (const auto user = number_in(name, node_name() + ".", ".journal"))
        journals.push_back({fmt::format("{}/{}", folder, name), *user});
    });
  std::ranges::sort(journals, {}, &NamedJournal::path);
  return journals;
}

std::string node_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0 || name[0] == '\0')
    return "node";
  std::ranges::replace(name, '/', '_');
  return name.data();
}

} // namespace hypermile::control
