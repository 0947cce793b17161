#pragma once

#include <chrono>

namespace hypermile::runtime::pmpi {

/// How a rank waits that need not keep its core busy. All times in nanoseconds.
class Patience {
public:
  /// What comes soon is not kept waiting: at first, polls follow each other at once, and then with
  /// the core left to others that are ready.
  static constexpr long eager = 10'000;
  static constexpr long awake = 50'000;
  /// A sleep is at most this, and at most this share of the time for which nothing has come: so
  /// much later may a wait end.
  static constexpr long longest_sleep = 100'000;
  static constexpr long share = 10;
  /// A poll has moved data, of which more may come, if it took that much more CPU time than four
  /// times the shortest one.
  static constexpr long longer = 1'000;
  /// More may come within so many times that CPU time: the other rank may have to move as much.
  static constexpr long after_data = 4;

  Patience() : since_(now()) {}
  ~Patience();
  Patience(const Patience&) = delete;
  Patience& operator=(const Patience&) = delete;

  /// After a poll that found the wait not over yet, in place of the next one at once.
  void pause() {
    const long time = now();
    if (before_ != unknown || time >= since_ + eager)
      pause_at(time);
  }

private:
  static constexpr long unknown = -1;

  /// CPU time of polls that find nothing.
  struct Usual {
    long most;
    long shortest = most;
  };

  static long now() {
    return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
  }
  void pause_at(long time);
  [[nodiscard]] long moved_data();
  void sleep(long time);

  long since_;            ///< the begin, or when data were last moved
  long awake_ = awake;    ///< from then on
  long before_ = unknown; ///< CPU time when the last poll began
  Usual warm_{10'000};
  Usual cold_{20'000};   ///< right after a sleep: the caches may be
  long slack_ = unknown; ///< of the thread's timers before the first sleep
  bool slept_ = false;   ///< before the last poll
};

/// Returns when `poll` has returned true.
template <class Poll> void gently(const Poll& poll) {
  if (poll())
    return;
  Patience patience;
  while (!poll())
    patience.pause();
}

} // namespace hypermile::runtime::pmpi
