#include "control/small_file.hpp"

#include "control/descriptor.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include <fcntl.h>

namespace hypermile::control {
namespace {

constexpr std::size_t most_bytes = 1 << 16;

Descriptor open_file(const std::string& path, int flags) {
  int number = -1;
  do
    number = ::open(path.c_str(), flags | O_CLOEXEC);
  while (number < 0 && errno == EINTR);
  return Descriptor(number);
}

} // namespace

FileError::FileError(const std::string& what, int number, const std::string& advice)
    : Error(ErrorKind::hardware, fmt::format("{}: {}", what, reason(number)), advice),
      number_(number) {}

bool FileError::not_permitted() const {
  return number_ == EACCES || number_ == EPERM || number_ == EROFS;
}

std::string reason(int number) {
  const char* const name = ::strerrorname_np(number);
  return fmt::format("{} ({})", std::strerror(number), name != nullptr ? name : "unknown");
}

std::string read_small_file(const std::string& path) {
  const auto fail = [&](int number) { throw FileError("cannot read " + path, number); };
  const Descriptor file = open_file(path, O_RDONLY);
  if (file.number() < 0)
    fail(errno);
  std::string text;
  char block[4096];
  for (;;) { // a read may return less than there is
    const ssize_t count =
        ::pread(file.number(), block, sizeof block, static_cast<off_t>(text.size()));
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      fail(errno);
    if (count == 0)
      break;
    text.append(block, static_cast<std::size_t>(count));
    if (text.size() > most_bytes)
      fail(EFBIG);
  }
  text.erase(text.find_last_not_of(" \t\n") + 1);
  return text;
}

void write_small_file(const std::string& path, const std::string& value) {
  const auto fail = [&](int number) {
    throw FileError(fmt::format("cannot write {} to {}", value, path), number);
  };
  const Descriptor file = open_file(path, O_WRONLY);
  if (file.number() < 0)
    fail(errno);
  const std::string line = value + "\n";
  ssize_t count = -1;
  do
    count = ::write(file.number(), line.data(), line.size());
  while (count < 0 && errno == EINTR);
  if (count < 0)
    fail(errno);
  if (static_cast<std::size_t>(count) != line.size()) // the rest would be taken as another value
    fail(EIO);
  // Nothing to a file of sysfs; where the root is another folder, what was there may be longer.
  [[maybe_unused]] const int cut = ::ftruncate(file.number(), static_cast<off_t>(line.size()));
}

int why_not_writable(const std::string& path) {
  return open_file(path, O_WRONLY).number() < 0 ? errno : 0;
}

} // namespace hypermile::control
