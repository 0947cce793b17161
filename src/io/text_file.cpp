#include "io/text_file.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include <sys/stat.h>
#include <unistd.h>

namespace hypermile::io {
namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

[[noreturn]] void fail_to_write(const std::string& path, int reason) {
  throw Error(ErrorKind::hardware, fmt::format("cannot write {}: {}", path, std::strerror(reason)),
              "a folder that exists, is writable and has space left");
}

/// A device or a pipe stays what it is.
void write_into(const std::string& path, const std::string& text) {
  File file{std::fopen(path.c_str(), "wb")};
  if (!file)
    fail_to_write(path, errno);
  if (std::fwrite(text.data(), 1, text.size(), file.get()) != text.size())
    fail_to_write(path, errno);
  if (std::fclose(file.release()) != 0)
    fail_to_write(path, errno);
}

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
  std::error_code none;
  const auto status = std::filesystem::status(path, none);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    return write_into(path, text);
  const std::string temporary = fmt::format("{}.{}.tmp", path, ::getpid());
  File file{std::fopen(temporary.c_str(), "wb")};
  if (!file)
    fail_to_write(path, errno);
  const bool written = std::fwrite(text.data(), 1, text.size(), file.get()) == text.size();
  const int write_error = errno;
  const bool closed = std::fclose(file.release()) == 0;
  const int reason = written ? errno : write_error;
  if (!written || !closed || std::rename(temporary.c_str(), path.c_str()) != 0) {
    const int why = written && closed ? errno : reason;
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    fail_to_write(path, why);
  }
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
