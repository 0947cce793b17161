#include "io/streamed_file.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include <unistd.h>

namespace hypermile::io {
namespace {

[[noreturn]] void fail_to_write(const std::string& path, int reason) {
  throw Error(ErrorKind::hardware, fmt::format("cannot write {}: {}", path, std::strerror(reason)),
              "a folder that exists, is writable and has space left");
}

bool is_device_or_pipe(const std::string& path) {
  std::error_code none;
  const auto status = std::filesystem::status(path, none);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
}

} // namespace

StreamedFile::StreamedFile(std::string path) : path_(std::move(path)) {
  if (!is_device_or_pipe(path_))
    temporary_ = fmt::format("{}.{}.tmp", path_, ::getpid());
  file_.reset(std::fopen((temporary_.empty() ? path_ : temporary_).c_str(), "wbe"));
  if (!file_)
    fail_to_write(path_, errno);
}

StreamedFile::~StreamedFile() {
  std::error_code ignored;
  if (!temporary_.empty())
    std::filesystem::remove(temporary_, ignored);
}

void StreamedFile::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size())
    fail_to_write(path_, errno);
  bytes_ += text.size();
}

void StreamedFile::finish() {
  if (std::fclose(file_.release()) != 0 ||
      (!temporary_.empty() && std::rename(temporary_.c_str(), path_.c_str()) != 0))
    fail_to_write(path_, errno);
  temporary_.clear();
}

} // namespace hypermile::io
