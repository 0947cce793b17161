#include "support/allocations.hpp"

#include <cstdlib>
#include <new>
#include <utility>

namespace {
std::atomic<std::size_t> count = 0;
constinit thread_local hypermile::test::AllocationFault* exposed_to = nullptr;
} // namespace

namespace hypermile::test {

std::size_t allocations() { return count; }

Exposed::Exposed(AllocationFault* fault) : before_(std::exchange(exposed_to, fault)) {}
Exposed::~Exposed() { exposed_to = before_; }

} // namespace hypermile::test

void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  count.fetch_add(1, std::memory_order_relaxed);
  if (exposed_to != nullptr && exposed_to->fails())
    return nullptr;
  return std::malloc(size);
}
void* operator new(std::size_t size) {
  if (void* memory = operator new(size, std::nothrow))
    return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
