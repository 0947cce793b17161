#include "support/faults.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace hypermile::test {
namespace {

constexpr int short_count = -1;
constexpr int lost = -2;

struct Fault {
  int error;
  std::string call;
  std::string path;
  int works_before;
  bool once;
};

/// Read by every call to the system; null: there are none.
std::atomic<std::vector<Fault>*> active{nullptr};

int error_named(const std::string& name) {
  static constexpr std::array<std::pair<std::string_view, int>, 13> names{{{"EACCES", EACCES},
                                                                           {"EBUSY", EBUSY},
                                                                           {"EINVAL", EINVAL},
                                                                           {"EIO", EIO},
                                                                           {"ENODATA", ENODATA},
                                                                           {"ENODEV", ENODEV},
                                                                           {"ENOENT", ENOENT},
                                                                           {"ENOSPC", ENOSPC},
                                                                           {"ENOSYS", ENOSYS},
                                                                           {"EPERM", EPERM},
                                                                           {"EROFS", EROFS},
                                                                           {"LOST", lost},
                                                                           {"SHORT", short_count}}};
  for (const auto& [known, error] : names)
    if (known == name)
      return error;
  throw std::invalid_argument("there is no fault " + name);
}

Fault parse_fault(const std::string& text) {
  std::istringstream parts(text);
  std::string what;
  std::string call;
  std::string path;
  std::string before;
  std::getline(parts, what, ':');
  std::getline(parts, call, ':');
  std::getline(parts, path, ':');
  std::getline(parts, before);
  if (path.empty())
    throw std::invalid_argument("'" + text + "' is no fault");
  return {error_named(what), call, path, before.empty() ? 0 : std::stoi(before),
          before.ends_with('!')};
}

std::vector<Fault>* parse_faults(const std::string& text) {
  auto faults = std::make_unique<std::vector<Fault>>();
  std::istringstream list(text);
  for (std::string fault; std::getline(list, fault, ';');)
    faults->push_back(parse_fault(fault));
  return faults.release();
}

/// 0: the call works.
int fault_of(std::string_view call, std::string_view path, bool at_open) {
  auto* const faults = active.load();
  if (faults == nullptr)
    return 0;
  for (Fault& fault : *faults) {
    const bool when_opened = fault.call == "open" || fault.error == EACCES ||
                             fault.error == EPERM || fault.error == EROFS;
    if (fault.call == call && when_opened == at_open && path.find(fault.path) != path.npos &&
        fault.works_before-- <= 0 && (!fault.once || fault.works_before == -1))
      return fault.error;
  }
  return 0;
}

int fault_of(std::string_view call, int file) {
  if (active.load() == nullptr)
    return 0;
  const std::string link = "/proc/self/fd/" + std::to_string(file);
  std::array<char, 4096> path{};
  const ssize_t size = ::readlink(link.c_str(), path.data(), path.size());
  return size <= 0 ? 0 : fault_of(call, {path.data(), static_cast<std::size_t>(size)}, false);
}

int open_file(int folder, const char* path, int flags, mode_t mode) {
  const int access = flags & O_ACCMODE;
  int error = fault_of("open", path, true);
  if (error == 0 && access != O_RDONLY)
    error = fault_of("write", path, true);
  if (error == 0 && access != O_WRONLY)
    error = fault_of("read", path, true);
  if (error == 0)
    return static_cast<int>(::syscall(SYS_openat, folder, path, flags, mode));
  errno = error;
  return -1;
}

/// Calls with as many bytes as the faults leave.
template <class Call>
ssize_t transfer(std::string_view name, int file, std::size_t size, Call call) {
  const int error = fault_of(name, file);
  if (error == lost)
    return static_cast<ssize_t>(size);
  if (error == 0 || error == short_count)
    return static_cast<ssize_t>(call(error == 0 ? size : std::min<std::size_t>(size, 1)));
  errno = error;
  return -1;
}

__attribute__((constructor)) void take_faults_of_environment() {
  if (const char* const faults = std::getenv("HYPERMILE_TEST_FAULTS"))
    active = parse_faults(faults);
}

} // namespace

Faults::Faults(const std::string& faults) { active = parse_faults(faults); }
Faults::~Faults() { delete active.exchange(nullptr); }

Faults::Suspended::Suspended() : faults_(active.exchange(nullptr)) {}
Faults::Suspended::~Suspended() { active = static_cast<std::vector<Fault>*>(faults_); }

bool Faults::were_met() {
  const auto* const faults = active.load();
  return faults != nullptr &&
         std::ranges::any_of(*faults, [](const Fault& fault) { return fault.works_before < 0; });
}

} // namespace hypermile::test

// What the C library has otherwise.
extern "C" {

int open(const char* path, int flags, ...) {
  std::va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  return hypermile::test::open_file(AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char* path, int flags, ...) {
  std::va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  return hypermile::test::open_file(folder, path, flags, mode);
}

ssize_t read(int file, void* bytes, std::size_t size) {
  return hypermile::test::transfer("read", file, size, [&](std::size_t count) {
    return ::syscall(SYS_read, file, bytes, count);
  });
}

ssize_t pread(int file, void* bytes, std::size_t size, off_t offset) {
  return hypermile::test::transfer("read", file, size, [&](std::size_t count) {
    return ::syscall(SYS_pread64, file, bytes, count, offset);
  });
}

ssize_t write(int file, const void* bytes, std::size_t size) {
  return hypermile::test::transfer("write", file, size, [&](std::size_t count) {
    return ::syscall(SYS_write, file, bytes, count);
  });
}

ssize_t pwrite(int file, const void* bytes, std::size_t size, off_t offset) {
  return hypermile::test::transfer("write", file, size, [&](std::size_t count) {
    return ::syscall(SYS_pwrite64, file, bytes, count, offset);
  });
}
}
