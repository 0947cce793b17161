#include "control/journal_file.hpp"

#include "control/small_file.hpp"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

namespace hypermile::control {
namespace {

constexpr std::size_t most_bytes = 16 << 20;
constexpr int flags = O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW;
constexpr const char* advice = "a folder for all users, with HYPERMILE_STATE=DIR";

void make_folder(const std::string& path) {
  if (::mkdir(path.c_str(), 0777) == 0)
    (void)::chmod(path.c_str(), 01777); // what the umask took away
  else if (errno != EEXIST)
    throw FileError("cannot make the folder " + path, errno, advice);
}

/// Linux lets nobody open another's file in a sticky folder with O_CREAT, so first without.
Descriptor open_or_create(const std::string& path) {
  for (;;) {
    Descriptor there(::open(path.c_str(), flags));
    if (there.number() >= 0 || errno != ENOENT)
      return there;
    Descriptor made(::open(path.c_str(), flags | O_CREAT | O_EXCL, 0666));
    if (made.number() >= 0)
      (void)::fchmod(made.number(), 0666);
    if (made.number() >= 0 || errno != EEXIST)
      return made;
  }
}

} // namespace

JournalFile JournalFile::open(const Place& place) {
  make_folder(place.state);
  const std::string path = journal_path(place);
  Descriptor file = open_or_create(path);
  if (file.number() < 0)
    throw FileError("cannot open the journal " + path, errno, advice);
  struct stat about {};
  if (::fstat(file.number(), &about) != 0 || !S_ISREG(about.st_mode))
    throw FileError("cannot use " + path + " as journal", EINVAL, advice);
  return {std::move(file), path};
}

JournalFile::JournalFile(Descriptor descriptor, std::string path)
    : descriptor_(std::move(descriptor)), path_(std::move(path)) {}

bool JournalFile::lock() const {
  while (::flock(descriptor(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK)
      return false;
    if (errno != EINTR)
      throw FileError("cannot lock " + path_, errno, advice);
  }
  return true;
}

void JournalFile::unlock() const noexcept { (void)::flock(descriptor(), LOCK_UN); }

Journal JournalFile::read() const {
  std::string text;
  char block[4096];
  for (;;) {
    const ssize_t count =
        ::pread(descriptor(), block, sizeof block, static_cast<off_t>(text.size()));
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0 || text.size() > most_bytes)
      throw FileError("cannot read " + path_, count < 0 ? errno : EFBIG);
    if (count == 0)
      return parse_journal(text, path_, boot_id());
    text.append(block, static_cast<std::size_t>(count));
  }
}

void JournalFile::append(const std::string& lines) const {
  const off_t before = ::lseek(descriptor(), 0, SEEK_END);
  for (std::size_t written = 0; written < lines.size();) {
    const ssize_t count = ::write(descriptor(), lines.data() + written, lines.size() - written);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0) {
      const int number = count < 0 ? errno : ENOSPC;
      [[maybe_unused]] const int cut = ::ftruncate(descriptor(), before);
      throw FileError("cannot write " + path_, number, advice);
    }
    written += static_cast<std::size_t>(count);
  }
}

void JournalFile::clear() const {
  if (::ftruncate(descriptor(), 0) != 0)
    throw FileError("cannot clear " + path_, errno);
}

} // namespace hypermile::control
