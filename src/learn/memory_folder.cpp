#include "learn/memory_folder.hpp"

#include "io/text_file.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace hypermile::learn {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view extension = ".memory";

/// While it lives, no other process that learns in the folder reads or replaces memories. Where the
/// file system has no locks, the last one to write wins.
class FolderLock {
public:
  explicit FolderLock(const fs::path& folder)
      : descriptor_(::open((folder / ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
    if (descriptor_ >= 0)
      (void)::flock(descriptor_, LOCK_EX);
  }
  ~FolderLock() {
    if (descriptor_ >= 0)
      ::close(descriptor_);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

private:
  int descriptor_;
};

std::optional<Memory> read(const std::string& file) {
  std::error_code ignored;
  if (!fs::exists(file, ignored))
    return std::nullopt;
  return parse_memory(io::read_text_file(file), file);
}

/// What is damaged teaches nothing.
std::optional<Memory> read_if_sound(const std::string& file) {
  try {
    return read(file);
  } catch (const Error&) {
    return std::nullopt;
  }
}

} // namespace

std::string MemoryFolder::file_of(const Identity& identity) const {
  return fs::path(path_) / file_name_of(identity);
}

std::optional<Memory> MemoryFolder::find(const Identity& identity) const {
  auto memory = read(file_of(identity));
  if (memory && key_of(memory->identity) != key_of(identity))
    throw Error(
        ErrorKind::config,
        fmt::format("{}: is of another job: {}", file_of(identity), command_of(memory->identity)),
        "remove the file; the next run learns anew");
  return memory;
}

Improved MemoryFolder::learn(const Memory& latest) const {
  std::error_code error;
  fs::create_directories(path_, error);
  if (error)
    throw Error(ErrorKind::hardware,
                fmt::format("cannot make the folder {}: {}", path_, error.message()));
  const FolderLock lock(path_);
  const std::string file = file_of(latest.identity);
  const auto known = read_if_sound(file);
  Improved improved{.memory = latest, .difference = {}};
  if (known && key_of(known->identity) == key_of(latest.identity))
    improved = improve(*known, latest);
  io::write_text_file(file, print_memory(improved.memory));
  return improved;
}

std::vector<std::string> MemoryFolder::files() const {
  std::error_code error;
  std::vector<std::string> found;
  for (fs::directory_iterator entry(path_, error), end; !error && entry != end;
       entry.increment(error))
    if (entry->path().extension() == extension)
      found.push_back(entry->path());
  if (error)
    throw Error(ErrorKind::config, fmt::format("cannot read {}: {}", path_, error.message()),
                "the folder of 'hypermile run --learn'");
  std::ranges::sort(found);
  return found;
}

std::vector<std::string> MemoryFolder::files_of(const std::string& program) const {
  const std::string any = file_name_of({.program = program, .arguments = {}, .nodes = {}});
  const std::string begin = any.substr(0, any.rfind('-') + 1);
  std::vector<std::string> all = files();
  std::erase_if(all, [&](const std::string& file) {
    const std::string name = fs::path(file).filename();
    return !name.starts_with(begin) || name.size() != any.size();
  });
  return all;
}

} // namespace hypermile::learn
