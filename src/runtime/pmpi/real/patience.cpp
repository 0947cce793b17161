#include "runtime/pmpi/real/patience.hpp"

#include <algorithm>
#include <ctime>
#include <thread>
#include <utility>

#include <sys/prctl.h>

namespace hypermile::runtime::pmpi {
namespace {

/// Of this thread: a poll may leave the core to others itself, which moves no data.
long cpu_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1'000'000'000L * time.tv_sec + time.tv_nsec;
}

} // namespace

Patience::~Patience() {
  if (slack_ > 0)
    prctl(PR_SET_TIMERSLACK, static_cast<unsigned long>(slack_));
}

/// CPU time of the last poll if it has moved data, else 0.
long Patience::moved_data() {
  if (before_ == unknown)
    return 0;
  const long poll = cpu_time() - before_;
  Usual& usual = std::exchange(slept_, false) ? cold_ : warm_;
  usual.shortest = std::min(usual.shortest, poll);
  return poll > std::min(4 * usual.shortest + longer, usual.most) ? poll : 0;
}

void Patience::pause_at(long time) {
  if (const long moving = moved_data(); moving > 0) {
    since_ = time - (time - since_) / left_by_data;
    awake_until_ = time + std::max(awake, after_data * moving);
  } else if (time >= awake_until_) {
    const long waited = time - since_;
    sleep(std::max(std::min(longest_sleep, waited / share),
                   std::min(longest_sleep_of_long, waited / share_of_long)));
  } else if (time >= since_ + eager) {
    std::this_thread::yield();
  }
  before_ = cpu_time();
}

/// On time, and not the kernel's usual 50 us later.
void Patience::sleep(long time) {
  if (slack_ == unknown) {
    slack_ = prctl(PR_GET_TIMERSLACK);
    prctl(PR_SET_TIMERSLACK, 1UL);
  }
  const timespec duration{0, time};
  nanosleep(&duration, nullptr); // a signal may end it early
  slept_ = true;
}

} // namespace hypermile::runtime::pmpi
