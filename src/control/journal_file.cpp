#include "control/journal_file.hpp"

#include "control/setting.hpp"
#include "control/small_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>

namespace hypermile::control {
namespace {

constexpr off_t most_journal_bytes = 1 << 20;
constexpr int flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK; // a FIFO must not hold us up
constexpr mode_t writable_by_others = S_IWGRP | S_IWOTH;
constexpr const char* advice = "a folder of your own, with HYPERMILE_STATE=DIR";

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw Error(ErrorKind::hardware, fmt::format("cannot use {}: {}", path, why), advice);
}

struct stat status_of(int descriptor, const std::string& path) {
  struct stat about {};
  if (::fstat(descriptor, &about) != 0)
    throw FileError("cannot use " + path, errno, advice);
  return about;
}

/// In which nobody but root can put another file in place of ours.
Descriptor open_folder(const std::string& path) {
  if (::mkdir(path.c_str(), 0755) != 0 && errno != EEXIST)
    throw FileError("cannot make the folder " + path, errno, advice);
  Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | flags));
  if (folder.number() < 0)
    throw FileError("cannot open the folder " + path, errno, advice);
  const auto about = status_of(folder.number(), path);
  if (about.st_uid != ::geteuid() && about.st_uid != 0)
    refuse(path, "it belongs to user " + name_of_user(about.st_uid));
  if ((about.st_mode & writable_by_others) != 0 && (about.st_mode & S_ISVTX) == 0)
    refuse(path, "others may change it");
  return folder;
}

/// Linux lets nobody open another's file in a sticky folder with O_CREAT, so first without.
Descriptor open_or_create(int folder, const std::string& name) {
  for (;;) {
    Descriptor there(::openat(folder, name.c_str(), flags | O_RDWR | O_APPEND));
    if (there.number() >= 0 || errno != ENOENT)
      return there;
    Descriptor made(::openat(folder, name.c_str(), flags | O_RDWR | O_APPEND | O_CREAT | O_EXCL,
                             S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH));
    if (made.number() >= 0)
      (void)::fchmod(made.number(), S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH); // whatever the umask
    if (made.number() >= 0 || errno != EEXIST)
      return made;
  }
}

/// Looks at the file that was opened, whatever has its name by now.
void check_file(const Descriptor& file, const std::string& path, uid_t user) {
  if (file.number() < 0)
    throw FileError("cannot open the journal " + path, errno, advice);
  const auto about = status_of(file.number(), path);
  if (!S_ISREG(about.st_mode))
    refuse(path, "it is no regular file");
  if (about.st_uid != user)
    refuse(path, "it belongs to user " + name_of_user(about.st_uid));
  if (about.st_nlink != 1)
    refuse(path, "it has another name, too");
  if ((about.st_mode & writable_by_others) != 0)
    refuse(path, "others may write to it");
  if (about.st_size > most_journal_bytes)
    refuse(path, "it is larger than a journal can be");
}

struct flock whole_file(short type) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  return lock;
}

} // namespace

JournalFile JournalFile::open(const Place& place) {
  const std::string path = journal_path(place);
  const std::filesystem::path parts(path);
  const Descriptor folder = open_folder(parts.parent_path());
  Descriptor file = open_or_create(folder.number(), parts.filename());
  check_file(file, path, ::geteuid());
  return {std::move(file), path};
}

JournalFile JournalFile::open(const NamedJournal& journal, bool to_write) {
  Descriptor file(::open(journal.path.c_str(), flags | (to_write ? O_RDWR | O_APPEND : O_RDONLY)));
  check_file(file, journal.path, journal.user);
  return {std::move(file), journal.path};
}

JournalFile::JournalFile(Descriptor descriptor, std::string path)
    : descriptor_(std::move(descriptor)), path_(std::move(path)),
      user_(status_of(this->descriptor(), path_).st_uid) {}

/// A lock of an open file, which needs the right to write. A read lock is never ours.
bool JournalFile::lock() const {
  struct flock lock = whole_file(F_WRLCK);
  while (::fcntl(descriptor(), F_OFD_SETLK, &lock) != 0) {
    if (errno == EINTR)
      continue;
    if (errno != EAGAIN && errno != EACCES)
      throw FileError("cannot lock " + path_, errno, advice);
    return ::fcntl(descriptor(), F_OFD_GETLK, &lock) == 0 && lock.l_type == F_RDLCK;
  }
  return true;
}

void JournalFile::unlock() const noexcept {
  struct flock lock = whole_file(F_UNLCK);
  (void)::fcntl(descriptor(), F_OFD_SETLK, &lock);
}

std::string JournalFile::text() const {
  std::string text;
  char block[4096];
  for (;;) {
    const ssize_t count =
        ::pread(descriptor(), block, sizeof block, static_cast<off_t>(text.size()));
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0 || static_cast<off_t>(text.size()) > most_journal_bytes)
      throw FileError("cannot read " + path_, count < 0 ? errno : EFBIG);
    if (count == 0)
      return text;
    text.append(block, static_cast<std::size_t>(count));
  }
}

Journal JournalFile::read() const {
  Journal journal = parse_journal(text(), path_, boot_id());
  if (journal.owner && user_ != ::geteuid())
    journal.owner->user = name_of_user(user_); // not what another user says
  return journal;
}

off_t JournalFile::size() const { return status_of(descriptor(), path_).st_size; }

/// What is written behind half a line would be lost.
void JournalFile::cut_half_line() const {
  char last = '\n';
  if (const off_t bytes = size(); bytes > 0 && ::pread(descriptor(), &last, 1, bytes - 1) != 1)
    throw FileError("cannot read " + path_, errno);
  if (last != '\n')
    cut(static_cast<off_t>(text().rfind('\n') + 1)); // 0: there is no whole line
}

void JournalFile::append(const std::string& lines) const {
  cut_half_line();
  const off_t before = size();
  for (std::size_t written = 0; written < lines.size();) {
    const ssize_t count = ::write(descriptor(), lines.data() + written, lines.size() - written);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0) {
      const int number = count < 0 ? errno : ENOSPC;
      [[maybe_unused]] const int shortened = ::ftruncate(descriptor(), before);
      throw FileError("cannot write " + path_, number, advice);
    }
    written += static_cast<std::size_t>(count);
  }
}

void JournalFile::cut(off_t size) const {
  if (::ftruncate(descriptor(), size) != 0)
    throw FileError("cannot clear " + path_, errno);
}

} // namespace hypermile::control
