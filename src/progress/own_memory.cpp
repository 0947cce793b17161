#include "progress/own_memory.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hypermile::progress {
namespace {

std::atomic<Memory*> memory_of_process{nullptr};
Memory nowhere; ///< where a process reports that can have no other memory

Memory* map(int descriptor) {
  void* address =
      ::mmap(nullptr, sizeof(Memory), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  return address == MAP_FAILED ? nullptr : static_cast<Memory*>(address);
}

/// Looked at before it is opened: the number of a process means another one in another container.
bool is_memory(const char* link) {
  constexpr const char* prefix = "/memfd:";
  char target[64] = {};
  return ::readlink(link, target, sizeof target - 1) > 0 &&
         std::strncmp(target, prefix, std::strlen(prefix)) == 0 &&
         std::strncmp(target + std::strlen(prefix), memory_name, std::strlen(memory_name)) == 0;
}

/// As we would have made it, and nobody can make it smaller.
bool is_complete(int descriptor) {
  struct stat status {};
  const int seals = ::fcntl(descriptor, F_GET_SEALS);
  return seals >= 0 && (seals & F_SEAL_SHRINK) != 0 && ::fstat(descriptor, &status) == 0 &&
         status.st_size == sizeof(Memory);
}

/// The same file with a number that no program thinks is its own, if there is one.
int out_of_the_way(int descriptor) {
  constexpr int high = 1000;
  const int moved = ::fcntl(descriptor, F_DUPFD_CLOEXEC, high);
  if (moved < 0)
    return descriptor;
  ::close(descriptor);
  return moved;
}

/// The memory of whoever started us: it stays when a program closes all descriptors, or ends. Null
/// if there is none, or of another version.
Memory* given_memory() {
  const char* link = std::getenv(memory_variable);
  if (link == nullptr || !is_memory(link))
    return nullptr;
  const int descriptor = ::open(link, O_RDWR | O_CLOEXEC);
  if (descriptor < 0)
    return nullptr;
  Memory* memory = is_complete(descriptor) ? map(descriptor) : nullptr;
  if (memory != nullptr && memory->header.magic == magic && memory->header.version == version) {
    (void)out_of_the_way(descriptor); // open, so that others find it as one of our own
    return memory;
  }
  if (memory != nullptr)
    ::munmap(memory, sizeof(Memory));
  ::close(descriptor);
  return nullptr;
}

/// Its descriptor stays open: by it, it is found.
Memory* new_memory() {
  int descriptor = ::memfd_create(memory_name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor < 0)
    return nullptr;
  descriptor = out_of_the_way(descriptor);
  Memory* memory = ::ftruncate(descriptor, sizeof(Memory)) == 0 ? map(descriptor) : nullptr;
  if (memory == nullptr) {
    ::close(descriptor);
    return nullptr;
  }
  memory->header = {.magic = magic, .version = version, .size = sizeof(Memory)};
  (void)::fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
  return memory;
}

/// Of several threads that come at once the first one's memory is taken; those of the others are
/// never used, and stay.
Memory& make_memory() {
  const int error = errno;
  Memory* mine = given_memory();
  if (mine == nullptr)
    mine = new_memory();
  if (mine == nullptr)
    mine = &nowhere;
  errno = error;
  Memory* first = nullptr;
  const bool taken = memory_of_process.compare_exchange_strong(first, mine);
  return taken ? *mine : *first;
}

} // namespace

Memory& memory() {
  Memory* made = memory_of_process.load(std::memory_order_acquire);
  return made != nullptr ? *made : make_memory();
}

Slot& slot_of_thread(Memory& memory) {
  // The number of a thread, of whatever process: those that count at the same time are mostly
  // apart.
  static thread_local std::size_t number __attribute__((tls_model("initial-exec"))) = slots;
  if (number == slots)
    number = static_cast<std::size_t>(::gettid()) % slots;
  return memory.slot[number];
}

} // namespace hypermile::progress
