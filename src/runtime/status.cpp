#include "runtime/status.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <new>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hypermile::runtime {

struct StatusFile::Header {
  std::uint64_t ranks;
  std::atomic<std::int32_t> running;
};

namespace {

constexpr std::size_t header_size = 64; // RankStatus begins on a cache line

[[noreturn]] void fail(const std::string& path) {
  throw Error(ErrorKind::hardware,
              fmt::format("cannot share the status file {}: {}", path, std::strerror(errno)));
}

} // namespace

void StatusFile::Unmap::operator()(Header* header) const { ::munmap(header, size); }

StatusFile StatusFile::map(int file, const std::string& path, std::size_t size) {
  void* memory =
      file < 0 ? MAP_FAILED : ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) {
    if (file >= 0)
      ::close(file);
    fail(path);
  }
  ::close(file);
  return {static_cast<Header*>(memory), size};
}

StatusFile StatusFile::create(const std::string& path, std::size_t ranks) {
  const std::size_t size = header_size + ranks * sizeof(RankStatus);
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  // With its space: on a full disk a write into a mapped file would kill us.
  if (const int reason = file < 0 ? 0 : ::posix_fallocate(file, 0, static_cast<off_t>(size))) {
    ::close(file);
    errno = reason;
    fail(path);
  }
  StatusFile status = map(file, path, size);
  new (status.header_.get()) Header{ranks, -1};
  for (std::size_t i = 0; i < ranks; ++i)
    new (&status.rank(i)) RankStatus{};
  return status;
}

StatusFile StatusFile::open(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  struct stat info {};
  if (file >= 0 && ::fstat(file, &info) != 0) {
    ::close(file);
    fail(path);
  }
  const auto size = static_cast<std::size_t>(info.st_size);
  StatusFile status = map(file, path, size);
  if (size < header_size || (size - header_size) / sizeof(RankStatus) < status.ranks())
    throw Error(ErrorKind::hardware, fmt::format("the status file {} is incomplete", path));
  return status;
}

std::size_t StatusFile::ranks() const { return header_->ranks; }

RankStatus& StatusFile::rank(std::size_t index) const {
  auto* const begin = reinterpret_cast<std::byte*>(header_.get()) + header_size;
  return reinterpret_cast<RankStatus*>(begin)[index];
}

std::atomic<std::int32_t>& StatusFile::running() const { return header_->running; }

} // namespace hypermile::runtime
