#include "accounting/append.hpp"

#include "control/descriptor.hpp"
#include "control/small_file.hpp"

#include <fmt/format.h>

#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>

namespace hypermile::accounting {

void append_line(const std::string& file, const std::string& line) {
  constexpr mode_t mode = 0644;
  const auto fail = [&](int number) {
    throw control::FileError(fmt::format("cannot add this job to {}", file), number,
                             "a file that the user of the job may write to");
  };
  // O_NONBLOCK: nobody waits for the reader of a FIFO.
  const control::Descriptor open(::open(
      file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, mode));
  if (open.number() < 0)
    fail(errno);
  struct stat what {};
  if (::fstat(open.number(), &what) != 0)
    fail(errno);
  if (!S_ISREG(what.st_mode))
    fail(EINVAL);
  ssize_t written = 0;
  do
    written = ::write(open.number(), line.data(), line.size());
  while (written < 0 && errno == EINTR);
  if (written < 0)
    fail(errno);
  if (static_cast<std::size_t>(written) != line.size())
    fail(ENOSPC); // a part of a line: the reader tells where
}

} // namespace hypermile::accounting
