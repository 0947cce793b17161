#include "backend/process/record.hpp"

#include "control/small_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <atomic>
#include <cerrno>
#include <sstream>

#include <sys/mman.h>
#include <unistd.h>

namespace hypermile::backend::process {
namespace {

control::Descriptor memory_file() {
  control::Descriptor file(::memfd_create("hypermile-found", MFD_CLOEXEC));
  if (file.number() < 0)
    throw control::FileError("cannot make a file in memory", errno);
  return file;
}

} // namespace

std::string print(const Found& found) {
  std::string text;
  for (const auto& [pid, process] : found.processes)
    text += fmt::format("process {} {} {}\n", pid, process.start, process.stopped ? 1 : 0);
  for (const auto& [id, thread] : found.threads)
    text += fmt::format("thread {} {} {}\n", id, thread.process, fmt::join(thread.wish, " "));
  return text;
}

Found parse_found(const std::string& text) {
  Found found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string kind;
    pid_t id = 0;
    words >> kind >> id;
    if (kind == "process") {
      Found::Process& process = found.processes[id];
      words >> process.start >> process.stopped;
    } else {
      Found::Thread& thread = found.threads[id];
      words >> thread.process;
      for (std::size_t cpu = 0; words >> cpu;)
        thread.wish.push_back(cpu);
    }
  }
  return found;
}

Record::Record() : files_{memory_file(), memory_file()}, current_(nullptr) {
  void* const page =
      ::mmap(nullptr, sizeof *current_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED)
    throw control::FileError("cannot make shared memory", errno);
  current_ = static_cast<int*>(page);
  clear();
}

Record::~Record() { ::munmap(current_, sizeof *current_); }

void Record::clear() { std::atomic_ref(*current_).store(-1); }

void Record::write(const Found& found) {
  const std::string text = print(found);
  std::atomic_ref current(*current_);
  const int other = current.load() == 0 ? 1 : 0;
  const int file = files_[static_cast<std::size_t>(other)].number();
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t count =
        ::pwrite(file, text.data() + written, text.size() - written, static_cast<off_t>(written));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      throw control::FileError("cannot write to a file in memory", errno);
    written += static_cast<std::size_t>(count);
  }
  if (::ftruncate(file, static_cast<off_t>(written)) != 0)
    throw control::FileError("cannot cut a file in memory", errno);
  current.store(other);
}

std::optional<Found> Record::read() const {
  const int current = std::atomic_ref(*current_).load();
  if (current < 0)
    return std::nullopt;
  const int file = files_[static_cast<std::size_t>(current)].number();
  std::string text;
  std::array<char, 4096> block{};
  for (;;) {
    const ssize_t count =
        ::pread(file, block.data(), block.size(), static_cast<off_t>(text.size()));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return parse_found(text);
    text.append(block.data(), static_cast<std::size_t>(count));
  }
}

} // namespace hypermile::backend::process
