#pragma once

#include <atomic>
#include <cstddef>

/// Link allocations.cpp, which replaces `new` for the whole program.
namespace hypermile::test {

/// How often this program has called `new`.
std::size_t allocations();

/// Lets allocations fail: the one after so many that work, or that one and all that follow. Counts
/// those of all threads that are exposed to it.
class AllocationFault {
public:
  enum class Lasts { once, for_good };
  explicit AllocationFault(std::size_t works_before, Lasts lasts = Lasts::once)
      : works_before_(works_before), lasts_(lasts) {}

  /// An exposed thread allocates. True: that fails.
  bool fails() {
    const std::size_t before = count_++;
    return before == works_before_ || (lasts_ == Lasts::for_good && before > works_before_);
  }
  [[nodiscard]] bool has_happened() const { return count_ > works_before_; }

private:
  std::size_t works_before_;
  Lasts lasts_;
  std::atomic<std::size_t> count_ = 0;
};

/// While one of these lives, the allocations of this thread are exposed to the fault; to none
/// where it is null, as within a part of a test that stands for something else than hypermile.
class Exposed {
public:
  explicit Exposed(AllocationFault* fault);
  ~Exposed();
  Exposed(const Exposed&) = delete;
  Exposed& operator=(const Exposed&) = delete;

private:
  AllocationFault* before_;
};

} // namespace hypermile::test
