#include "control/place.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include <unistd.h>

namespace hypermile::control {
namespace {

namespace fs = std::filesystem;

void take_from(const char* variable, std::string& folder) {
  const char* const value = std::getenv(variable);
  if (value == nullptr || *value == '\0')
    return;
  folder = fs::absolute(value).lexically_normal().string();
  while (folder.size() > 1 && folder.back() == '/')
    folder.pop_back();
}

} // namespace

Place this_place() {
  Place place;
  take_from("HYPERMILE_SYSFS", place.sysfs);
  take_from("HYPERMILE_STATE", place.state);
  return place;
}

std::string journal_path(const Place& place) {
  return place.state + "/" + node_name() + ".journal";
}

std::string node_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0 || name[0] == '\0')
    return "node";
  std::ranges::replace(name, '/', '_');
  return name.data();
}

bool is_setting(const std::string& path, const std::string& sysfs) {
  constexpr std::array<std::string_view, 4> names{"scaling_governor", "scaling_max_freq",
                                                  "scaling_min_freq", "scaling_setspeed"};
  if (!path.starts_with(sysfs + "/devices/system/cpu/") ||
      fs::path(path).lexically_normal().string() != path)
    return false;
  return std::ranges::find(names, fs::path(path).filename().string()) != names.end();
}

} // namespace hypermile::control
