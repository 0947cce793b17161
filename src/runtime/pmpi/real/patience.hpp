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
  /// So much later may a wait end: at most a tenth of the time for which nothing has come, and no
  /// more than this; or a fiftieth of that time, and no more than that. Where a wait is long,
  /// looking for its end is all that it costs.
  static constexpr long longest_sleep = 100'000;
  static constexpr long share = 10;
  static constexpr long longest_sleep_of_long = 1'000'000;
  static constexpr long share_of_long = 50;
  /// A poll has moved data, of which more may come, if it took that much more CPU time than four
  /// times the shortest one.
  static constexpr long longer = 1'000;
  /// More may come within so many times that CPU time: the other rank may have to move as much.
  static constexpr long after_data = 4;
  /// Now and then a poll takes longer for other reasons. So it takes off most of the time for which
  /// nothing seems to have come, and data, of which more come, all of it.
  static constexpr long left_by_data = 4;

  Patience() : since_(now()), awake_until_(since_ + awake) {}
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

  long since_; ///< the begin, or when data were last moved, about
  long awake_until_;
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
