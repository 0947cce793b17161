#include "backend/progress/shared_memory.hpp"

#include "control/small_file.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cerrno>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

namespace hypermile::backend::progress {
namespace {

using control::Descriptor;
using control::FileError;
using hypermile::progress::Memory;

template <class Number> Number load(Number& number) {
  return std::atomic_ref(number).load(std::memory_order_relaxed);
}

struct Opened {
  Descriptor descriptor;
  bool writable;
};

Opened open_link(const std::string& link) {
  constexpr int always = O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
  for (const bool writable : {true, false}) {
    const int number = ::open(link.c_str(), always | (writable ? O_RDWR : O_RDONLY));
    if (number >= 0)
      return {Descriptor(number), writable};
  }
  throw FileError("cannot open " + link, errno);
}

/// Nobody can make it smaller than it is: reading it can then not fail.
void require_size(int descriptor, const std::string& name) {
  struct stat status {};
  const int seals = ::fcntl(descriptor, F_GET_SEALS);
  const bool whole = seals >= 0 && (seals & F_SEAL_SHRINK) != 0 &&
                     ::fstat(descriptor, &status) == 0 && status.st_size == sizeof(Memory);
  if (!whole)
    throw Error(ErrorKind::unsupported, name + " is no memory as hypermile makes it",
                "the same version of hypermile on both sides");
}

Memory* map(int descriptor, bool writable) {
  void* address = ::mmap(nullptr, sizeof(Memory), writable ? PROT_READ | PROT_WRITE : PROT_READ,
                         MAP_SHARED, descriptor, 0);
  if (address == MAP_FAILED)
    throw FileError("cannot map the memory of a program's progress", errno);
  return static_cast<Memory*>(address);
}

SharedMemory::Id id_of(int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0)
    throw FileError("cannot look at the memory of a program's progress", errno);
  return {status.st_dev, status.st_ino};
}

} // namespace

Counts& Counts::operator+=(const Counts& other) {
  items += other.items;
  arrivals += other.arrivals;
  openmp_items += other.openmp_items;
  return *this;
}

Counts larger(const Counts& a, const Counts& b) {
  return {.items = std::max(a.items, b.items),
          .arrivals = std::max(a.arrivals, b.arrivals),
          .openmp_items = std::max(a.openmp_items, b.openmp_items)};
}

void SharedMemory::Unmap::operator()(Memory* memory) const { ::munmap(memory, sizeof(Memory)); }

SharedMemory::SharedMemory(Descriptor descriptor, bool writable)
    : descriptor_(std::move(descriptor)), memory_(map(descriptor_.number(), writable)),
      id_(id_of(descriptor_.number())), writable_(writable) {}

SharedMemory SharedMemory::make() {
  namespace shared = hypermile::progress;
  Descriptor descriptor(::memfd_create(shared::memory_name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (descriptor.number() < 0 || ::ftruncate(descriptor.number(), sizeof(Memory)) != 0)
    throw FileError("cannot make a memory for a program's progress", errno);
  constexpr int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
  if (::fcntl(descriptor.number(), F_ADD_SEALS, seals) != 0)
    throw FileError("cannot seal the memory of a program's progress", errno);
  SharedMemory made(std::move(descriptor), true);
  made.memory_->header = {
      .magic = shared::magic, .version = shared::version, .size = sizeof(Memory)};
  return made;
}

SharedMemory SharedMemory::open(const std::string& link) {
  Opened opened = open_link(link);
  require_size(opened.descriptor.number(), link);
  SharedMemory found(std::move(opened.descriptor), opened.writable);
  hypermile::progress::Header& header = found.memory_->header;
  const std::uint32_t version = load(header.version);
  if (load(header.magic) != hypermile::progress::magic || version != hypermile::progress::version)
    throw Error(ErrorKind::unsupported,
                fmt::format("{} is a memory of version {}, not {}", link, version,
                            hypermile::progress::version),
                "the same version of hypermile on both sides");
  return found;
}

Counts SharedMemory::counts() const {
  Counts sum;
  for (auto& slot : memory_->slot)
    sum += {.items = static_cast<double>(load(slot.items)),
            .arrivals = static_cast<double>(load(slot.arrivals)),
            .openmp_items = static_cast<double>(load(slot.openmp_items))};
  return sum;
}

bool SharedMemory::resizable() const { return load(memory_->talk.resizable) != 0; }

bool SharedMemory::has_openmp() const { return load(memory_->talk.openmp) != 0; }

void SharedMemory::want_threads(std::uint32_t threads) {
  if (writable_)
    std::atomic_ref(memory_->talk.wanted_threads).store(threads, std::memory_order_relaxed);
}

} // namespace hypermile::backend::progress
