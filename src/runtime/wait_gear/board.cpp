#include "runtime/wait_gear/board.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstring>
#include <ctime>
#include <new>

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace hypermile::runtime {
namespace {

constexpr std::size_t cache_line = 64;

struct alignas(cache_line) Slot {
  std::atomic<std::int64_t> since; ///< it waits; 0: it computes
  std::atomic<std::int64_t> until; ///< as in enter()
};

[[noreturn]] void fail(const char* what, int reason) {
  throw Error(ErrorKind::hardware,
              fmt::format("the ranks of the node cannot share memory for the wait gear: {}: {}",
                          what, std::strerror(reason)));
}

std::uint64_t some_number() {
  std::uint64_t number = 0;
  if (::getrandom(&number, sizeof number, GRND_NONBLOCK) != sizeof number)
    number = static_cast<std::uint64_t>(monotonic_ns());
  return number;
}

} // namespace

/// Atomics of several processes: none of them may need a lock.
struct WaitBoard::Memory {
  std::uint64_t cookie; ///< a file of another process may have taken the number of the right one
  std::uint64_t ranks;
  alignas(cache_line) std::atomic<std::uint32_t> computing;
  alignas(cache_line) std::atomic<std::uint32_t> bell; ///< a futex
  std::atomic<std::int64_t> shortest;                  ///< see want_waits_of()
  std::atomic<std::uint32_t> wants_waits;              ///< the keeper sleeps until all ranks wait
  std::atomic<std::uint32_t> low;                      ///< whoever goes on has to ring
  std::atomic<std::int64_t> first_on;                  ///< see first_on(); 0: none
  alignas(cache_line) std::atomic<std::int64_t> low_from;
  std::atomic<std::int64_t> low_until;
  std::atomic<std::uint64_t> low_gear;

  [[nodiscard]] Slot& slot(std::size_t rank) { return reinterpret_cast<Slot*>(this + 1)[rank]; }
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free &&
              std::atomic<std::int64_t>::is_always_lock_free);

std::int64_t monotonic_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

void WaitBoard::Unmap::operator()(Memory* memory) const {
  ::munmap(memory, size);
  if (file >= 0)
    ::close(file);
}

WaitBoard WaitBoard::map(int file, std::size_t size, bool owns, std::string address) {
  void* const memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  const int reason = errno;
  if (memory == MAP_FAILED || !owns)
    ::close(file);
  if (memory == MAP_FAILED)
    fail("mmap", reason);
  ::madvise(memory, size, MADV_DONTFORK); // a child of a rank is no rank
  return {
      std::unique_ptr<Memory, Unmap>(static_cast<Memory*>(memory), Unmap{size, owns ? file : -1}),
      std::move(address)};
}

WaitBoard WaitBoard::create(std::size_t ranks) {
  const std::size_t size = sizeof(Memory) + ranks * sizeof(Slot);
  const int file = ::memfd_create("hypermile-waits", MFD_CLOEXEC);
  if (file < 0)
    fail("memfd_create", errno);
  // With its pages: where memory is short a write would end the program.
  if (const int reason = ::posix_fallocate(file, 0, static_cast<off_t>(size)); reason != 0) {
    ::close(file);
    fail("no memory for it", reason);
  }
  const std::uint64_t cookie = some_number();
  WaitBoard board = map(file, size, true, fmt::format("{}:{}:{}", ::getpid(), file, cookie));
  auto* const memory = new (board.memory_.get()) Memory{};
  memory->cookie = cookie;
  memory->ranks = ranks;
  memory->shortest.store(INT64_MAX);
  memory->computing.store(static_cast<std::uint32_t>(ranks));
  for (std::size_t r = 0; r < ranks; ++r)
    new (&memory->slot(r)) Slot{};
  return board;
}

WaitBoard WaitBoard::open(const std::string& address) {
  const std::size_t first = address.find(':');
  const std::size_t second = address.find(':', first == std::string::npos ? first : first + 1);
  if (second == std::string::npos)
    fail("its address is unknown", EINVAL);
  const std::string path = fmt::format("/proc/{}/fd/{}", address.substr(0, first),
                                       address.substr(first + 1, second - first - 1));
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0)
    fail(path.c_str(), errno);
  struct stat info {};
  const bool known = ::fstat(file, &info) == 0 && S_ISREG(info.st_mode) &&
                     static_cast<std::size_t>(info.st_size) >= sizeof(Memory);
  if (!known) {
    ::close(file);
    fail(path.c_str(), ENOENT);
  }
  const auto size = static_cast<std::size_t>(info.st_size);
  WaitBoard board = map(file, size, false, address);
  const bool fits = board.memory_->ranks == (size - sizeof(Memory)) / sizeof(Slot);
  if (fmt::format("{}", board.memory_->cookie) != address.substr(second + 1) || !fits)
    fail(path.c_str(), ESTALE); // that of another process namespace, say
  return board;
}

std::size_t WaitBoard::ranks() const { return memory_->ranks; }

/// The order of the following four operations is what keeps a rank from computing in a gear that
/// nobody raises: enter() and leave() change `computing` before they look whether somebody is to be
/// rung, and the keeper says so before it looks at `computing`.
void WaitBoard::enter(std::size_t rank, std::int64_t now, std::int64_t until) {
  Slot& slot = memory_->slot(rank);
  slot.until.store(until, std::memory_order_relaxed);
  slot.since.store(now, std::memory_order_release);
  if (memory_->computing.fetch_sub(1) != 1)
    return;
  const std::int64_t shortest = memory_->shortest.load(std::memory_order_relaxed);
  if ((memory_->wants_waits.load() != 0 && memory_->wants_waits.exchange(0) != 0) ||
      (until - now >= shortest && expects_all_until(now + shortest)))
    ring();
}

bool WaitBoard::expects_all_until(std::int64_t time) const {
  for (std::size_t r = 0; r < memory_->ranks; ++r)
    if (memory_->slot(r).until.load(std::memory_order_relaxed) < time)
      return false;
  return true;
}

void WaitBoard::want_waits_of(std::int64_t shortest) { memory_->shortest.store(shortest); }

void WaitBoard::leave(std::size_t rank, std::int64_t now) {
  memory_->slot(rank).since.store(0, std::memory_order_relaxed);
  memory_->computing.fetch_add(1);
  if (memory_->low.load() == 0)
    return;
  std::int64_t none = 0;
  if (memory_->first_on.compare_exchange_strong(none, now))
    ring();
}

bool WaitBoard::begin_low() {
  memory_->first_on.store(0);
  memory_->low.store(1);
  if (all_wait())
    return true;
  end_low();
  return false;
}

void WaitBoard::end_low() { memory_->low.store(0); }

std::optional<std::int64_t> WaitBoard::first_on() const {
  const std::int64_t time = memory_->first_on.load();
  return time == 0 ? std::nullopt : std::optional(time);
}

bool WaitBoard::all_wait() const { return memory_->computing.load() == 0; }

std::optional<govern::NodeWait> WaitBoard::waits() const {
  if (!all_wait())
    return std::nullopt;
  std::int64_t since = 0;
  std::int64_t until = INT64_MAX;
  bool known = true;
  for (std::size_t r = 0; r < memory_->ranks; ++r) {
    const Slot& slot = memory_->slot(r);
    const std::int64_t own = slot.since.load(std::memory_order_acquire);
    const std::int64_t end = slot.until.load(std::memory_order_relaxed);
    if (own == 0)
      return std::nullopt;
    since = std::max(since, own);
    until = std::min(until, end);
    known = known && end != unknown;
  }
  if (!all_wait())
    return std::nullopt;
  return govern::NodeWait{.since = seconds_of(since),
                          .until = known ? std::optional(seconds_of(until)) : std::nullopt};
}

std::uint32_t WaitBoard::rung() const { return memory_->bell.load(); }

void WaitBoard::ring() {
  memory_->bell.fetch_add(1);
  ::syscall(SYS_futex, &memory_->bell, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void WaitBoard::sleep(std::uint32_t seen, std::optional<std::int64_t> at_most, bool for_waits) {
  if (for_waits) {
    memory_->wants_waits.store(1);
    if (all_wait())
      at_most = 0;
  }
  if (!at_most || *at_most > 0) {
    constexpr std::int64_t second = 1'000'000'000;
    const timespec time{.tv_sec = static_cast<time_t>(at_most.value_or(0) / second),
                        .tv_nsec = static_cast<long>(at_most.value_or(0) % second)};
    ::syscall(SYS_futex, &memory_->bell, FUTEX_WAIT, seen, at_most ? &time : nullptr, nullptr, 0);
  }
  if (for_waits)
    memory_->wants_waits.store(0);
}

WaitBoard::Window WaitBoard::window() const {
  Window window;
  window.until = memory_->low_until.load(std::memory_order_acquire);
  window.from = memory_->low_from.load(std::memory_order_relaxed);
  window.gear = memory_->low_gear.load(std::memory_order_relaxed);
  return window;
}

void WaitBoard::note_low(std::int64_t from, std::size_t gear) {
  memory_->low_from.store(from, std::memory_order_relaxed);
  memory_->low_gear.store(gear, std::memory_order_relaxed);
  memory_->low_until.store(still_low, std::memory_order_release);
}

void WaitBoard::note_raised(std::int64_t until) {
  memory_->low_until.store(until, std::memory_order_release);
}

} // namespace hypermile::runtime
