// What hm_progress, hm_arrival and hm_on_threads of include/hypermile/hypermile.h call.

#include "progress/own_memory.hpp"

#include <climits>

#include <pthread.h>

namespace hypermile::progress {
namespace {

using Resize = void (*)(int threads);

std::atomic<Resize> resize_of_program{nullptr};
std::atomic<std::uint32_t> threads_told{0};
std::atomic<bool> telling{false};

/// Another thread may have been telling, which a child of fork() does not have.
void after_fork() { telling.store(false); }

/// By one thread at a time; others go on with their work, and so does one that comes here from
/// within `resize`.
void tell(std::uint32_t& wanted_threads, Resize resize) {
  if (telling.exchange(true, std::memory_order_acquire))
    return;
  const std::uint32_t wanted = std::atomic_ref(wanted_threads).load(std::memory_order_relaxed);
  if (wanted > 0 && wanted <= INT_MAX && threads_told.exchange(wanted) != wanted)
    resize(static_cast<int>(wanted));
  telling.store(false, std::memory_order_release);
}

void tell_if_changed(Memory& memory) {
  std::uint32_t& wanted = memory.talk.wanted_threads;
  if (std::atomic_ref(wanted).load(std::memory_order_relaxed) ==
      threads_told.load(std::memory_order_relaxed))
    return;
  if (const Resize resize = resize_of_program.load(std::memory_order_acquire))
    tell(wanted, resize);
}

} // namespace
} // namespace hypermile::progress

using namespace hypermile::progress;

extern "C" {

__attribute__((visibility("default"))) void hypermile_on_progress(unsigned long items) {
  Memory& own = memory();
  add(slot_of_thread(own).items, items);
  tell_if_changed(own);
}

__attribute__((visibility("default"))) void hypermile_on_arrival(unsigned long items) {
  add(slot_of_thread(memory()).arrivals, items);
}

__attribute__((visibility("default"))) void hypermile_on_threads(Resize resize) {
  static std::atomic<bool> prepared{false};
  if (!prepared.exchange(true))
    (void)::pthread_atfork(nullptr, nullptr, after_fork);
  resize_of_program.store(resize, std::memory_order_release);
  threads_told.store(0);
  std::atomic_ref(memory().talk.resizable).store(resize != nullptr ? 1 : 0);
}
}
