#include "io/text_file.hpp"

#include "io/streamed_file.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include <sys/stat.h>

namespace hypermile::io {
namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

} // namespace

std::string read_text_file(const std::string& path) {
  const auto fail = [&](int reason) {
    throw Error(ErrorKind::config, fmt::format("cannot read {}: {}", path, std::strerror(reason)));
  };
  const File file{std::fopen(path.c_str(), "rb")};
  if (!file)
    fail(errno);
  constexpr std::size_t most_of_device = 256 << 20;
  struct stat status {};
  const bool may_be_endless =
      ::fstat(::fileno(file.get()), &status) == 0 && S_ISCHR(status.st_mode) != 0;
  std::string text;
  char block[1 << 16];
  while (const std::size_t read = std::fread(block, 1, sizeof block, file.get())) {
    text.append(block, read);
    if (may_be_endless && text.size() > most_of_device)
      throw Error(ErrorKind::config, fmt::format("{} is a device that does not end", path),
                  "a file");
  }
  if (std::ferror(file.get()))
    fail(errno);
  return text;
}

void write_text_file(const std::string& path, const std::string& text) {
  StreamedFile file(path);
  file.write(text);
  file.finish();
}

std::vector<std::string> names_in(const std::string& folder, std::string_view ending) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
    if (entry.path().extension() == ending)
      names.push_back(entry.path().stem());
  std::ranges::sort(names);
  return names;
}

} // namespace hypermile::io
