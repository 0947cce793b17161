#include "backend/process/numbers_in.hpp"

#include <algorithm>
#include <charconv>
#include <memory>
#include <string_view>

#include <dirent.h>

namespace hypermile::backend::process {
namespace {

struct Close {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

} // namespace

std::vector<pid_t> numbers_in(const std::string& folder) {
  std::vector<pid_t> numbers;
  const std::unique_ptr<DIR, Close> open(::opendir(folder.c_str()));
  if (!open)
    return numbers;
  while (const dirent* const entry = ::readdir(open.get())) {
    const std::string_view name = entry->d_name;
    pid_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error == std::errc{} && end == name.data() + name.size())
      numbers.push_back(number);
  }
  std::ranges::sort(numbers);
  return numbers;
}

} // namespace hypermile::backend::process
