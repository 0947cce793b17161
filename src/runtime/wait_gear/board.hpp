#pragma once

#include "govern/wait_gear.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace hypermile::runtime {

/// What the ranks of a node share about their waits: memory that ends with the last of them, so
/// that nothing is left behind however they end. Each rank has a slot, and one process (the
/// keeper's) changes the gear. All times are nanoseconds of the machine's monotonic clock.
///
/// A rank never waits here: a call that does not end a stay in the wait gear makes no system call,
/// unless it is the one for which the keeper sleeps.
class WaitBoard {
public:
  static constexpr std::int64_t unknown = 0;

  /// All ranks compute. Throws Error{hardware} where the system gives no such memory.
  static WaitBoard create(std::size_t ranks);
  /// That of another process of this user, which must still have it, by its address().
  /// Throws Error{hardware} where it cannot be had.
  static WaitBoard open(const std::string& address);
  [[nodiscard]] const std::string& address() const { return address_; }
  [[nodiscard]] std::size_t ranks() const;

  // Of a rank:

  /// Begins to wait. `until`: when it is expected to go on; `unknown`: nobody knows.
  void enter(std::size_t rank, std::int64_t now, std::int64_t until);
  /// Computes again.
  void leave(std::size_t rank, std::int64_t now);

  // Of the keeper:

  /// None: some rank computes.
  [[nodiscard]] std::optional<govern::NodeWait> waits() const;
  [[nodiscard]] bool all_wait() const;
  /// From now on whoever goes on rings. False: some rank computes already, or has since.
  bool begin_low();
  void end_low();
  /// The last rank to wait rings where all are expected to wait for so long. At first: none does.
  void want_waits_of(std::int64_t shortest);
  /// When the first rank went on since begin_low(); none: none did.
  [[nodiscard]] std::optional<std::int64_t> first_on() const;
  /// Since then there may be something to do; to be read before one looks what.
  [[nodiscard]] std::uint32_t rung() const;
  void ring();
  /// Returns when it has been rung since `seen`, or after so many nanoseconds (none: never else).
  /// `for_waits`: also when the last rank begins to wait.
  void sleep(std::uint32_t seen, std::optional<std::int64_t> at_most, bool for_waits);

  /// When the node was in its wait gear last, as an emulated node has to imitate it.
  struct Window {
    std::int64_t from = 0;
    std::int64_t until = 0; ///< still_low: it is
    std::size_t gear = 0;
  };
  static constexpr std::int64_t still_low = INT64_MAX;
  [[nodiscard]] Window window() const;
  void note_low(std::int64_t from, std::size_t gear);
  void note_raised(std::int64_t until);

  struct Memory; ///< what is shared

private:
  [[nodiscard]] bool expects_all_until(std::int64_t time) const;

  struct Unmap {
    std::size_t size;
    int file; ///< that others open; -1: none
    void operator()(Memory* memory) const;
  };
  WaitBoard(std::unique_ptr<Memory, Unmap> memory, std::string address)
      : memory_(std::move(memory)), address_(std::move(address)) {}
  static WaitBoard map(int file, std::size_t size, bool owns, std::string address);

  std::unique_ptr<Memory, Unmap> memory_;
  std::string address_;
};

/// Nanoseconds of the machine's monotonic clock, and as a quantity.
std::int64_t monotonic_ns();
inline Seconds seconds_of(std::int64_t ns) { return Seconds{static_cast<double>(ns) * 1e-9}; }

} // namespace hypermile::runtime
