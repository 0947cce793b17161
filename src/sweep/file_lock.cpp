#include "sweep/file_lock.hpp"

#include "control/small_file.hpp"

#include <fmt/format.h>

#include <cerrno>

#include <fcntl.h>
#include <sys/file.h>

namespace hypermile::sweep {

std::optional<FileLock> FileLock::attempt(const std::string& file, Kind kind) {
  control::Descriptor opened(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (opened.number() < 0)
    throw control::FileError(fmt::format("cannot write {}", file), errno,
                             "another folder for the results, one that you may write");
  const int operation = kind == Kind::shared ? LOCK_SH : LOCK_EX;
  if (::flock(opened.number(), operation | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return std::nullopt;
  return FileLock(std::move(opened));
}

} // namespace hypermile::sweep
