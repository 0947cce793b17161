#include "runtime/wait_gear/keeper.hpp"

#include "govern/countdown.hpp"
#include "runtime/decide/background_thread.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <system_error>
#include <utility>

#include <sys/prctl.h>
#include <unistd.h>

namespace hypermile::runtime {
namespace {

constexpr const char* cannot_be_set = "cannot be set";
constexpr const char* cannot_be_left = "cannot be left";

std::int64_t ns_of(Seconds time) { return std::llround(time.value() * 1e9); }

void sleep_for(Seconds time) {
  const std::int64_t ns = std::max<std::int64_t>(ns_of(time), 0);
  constexpr std::int64_t second = 1'000'000'000;
  const timespec span{.tv_sec = static_cast<time_t>(ns / second),
                      .tv_nsec = static_cast<long>(ns % second)};
  clock_nanosleep(CLOCK_MONOTONIC, 0, &span, nullptr);
}

Seconds own_cpu_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return Seconds{static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec)};
}

} // namespace

WaitGearKeeper::WaitGearKeeper(WaitBoard& board, SharedActuator& actuator, WaitGearWay way,
                               model::NodeType type, Limits limits)
    : board_(board), actuator_(actuator), way_(way), type_(std::move(type)), limits_(limits),
      began_(monotonic_ns()) {
  use_.set = way_ != WaitGearWay::imagine;
  choose_gears();
  if (ever_pays())
    learn_change();
  choose_gears();
  use_.change = change_;
  use_.pays = pays();
  if (ever_pays() && !broken_)
    board_.want_waits_of(ns_of(govern::limits_for(change_, {}).shortest));
}

WaitGearKeeper::~WaitGearKeeper() { stop(); }

bool WaitGearKeeper::ever_pays() const {
  return std::ranges::any_of(wait_gear_, [](const auto& gear) { return gear.has_value(); });
}

/// While the gear is changed a core is kept from what it does.
void WaitGearKeeper::choose_gears() {
  wait_gear_.clear();
  const Seconds patience = govern::limits_for(change_, {}).patience;
  for (model::Gear g = 0; g < type_.gears.size(); ++g) {
    const Watts of_core = type_.power[g].computing / static_cast<double>(type_.cores);
    const auto lower = govern::cheaper_waiting_gear(type_, g, of_core * change_ * 2, patience);
    wait_gear_.push_back(lower && *lower > g ? lower : std::nullopt);
  }
}

/// The median of a few: writing to files of the kernel takes as long as the driver needs.
void WaitGearKeeper::learn_change() {
  constexpr std::size_t times = 3;
  std::array<std::int64_t, 2 * times> took{};
  const model::Gear gear = wait_gear_[base()].value_or(type_.gears.size() - 1);
  std::size_t done = 0;
  try {
    for (; done < took.size(); ++done) {
      const std::int64_t begin = monotonic_ns();
      change(done % 2 == 0 ? std::optional(gear) : std::nullopt);
      took[done] = monotonic_ns() - begin;
    }
  } catch (const std::exception& error) {
    fail(done % 2 == 0 ? cannot_be_set : cannot_be_left, error);
    low_ = gear; // some of its frequency domains may have it
    low_from_ = base();
    low_since_ = monotonic_ns();
    raise();
  }
  std::ranges::sort(took);
  change_ = seconds_of(took[times]);
}

/// `lower`: to this gear; none: back to the one to compute in.
void WaitGearKeeper::change(const std::optional<model::Gear>& lower) {
  if (way_ == WaitGearWay::emulate)
    sleep_for(emulated_change);
  if (way_ == WaitGearWay::set)
    lower ? actuator_.lower(*lower) : actuator_.raise();
}

void WaitGearKeeper::start() {
  if (!low_ && (broken_ || !ever_pays()))
    return;
  process_ = ::getpid();
  const SignalsBlocked blocked;
  try {
    thread_ = std::thread([this] {
      may_run_anywhere();
      (void)prctl(PR_SET_TIMERSLACK, 1UL); // it is woken when the gear has to be raised
      run();
    });
  } catch (const std::system_error& error) {
    throw Error(ErrorKind::hardware, std::string("no thread can be started: ") + error.what());
  }
}

void WaitGearKeeper::stop() {
  if (!thread_.joinable())
    return;
  if (process_ != ::getpid())
    return thread_.detach();
  stops_.store(true);
  board_.ring();
  thread_.join();
}

void WaitGearKeeper::run() {
  for (std::uint32_t seen = board_.rung(); !stops_.load(); seen = board_.rung()) {
    const auto wake = look();
    const bool for_waits = !low_ && !wake && !broken_;
    std::optional<std::int64_t> at_most;
    if (wake)
      at_most = std::max<std::int64_t>(ns_of(*wake) - monotonic_ns(), 0);
    board_.sleep(seen, at_most, for_waits);
    if (wake && board_.rung() == seen) // by the time, which may be later than was asked for
      late_ = std::max(late_ * 0.9, std::min(seconds_of(monotonic_ns()) - *wake, Seconds{1e-3}));
  }
  if (low_)
    raise();
  use_.cpu = own_cpu_time();
}

/// Returns when to look again if nobody rings; none: not before.
std::optional<Seconds> WaitGearKeeper::look() {
  const Seconds now = seconds_of(monotonic_ns());
  const auto waits = board_.waits();
  const auto wish =
      govern::wait_wish(waits, now, low_.has_value(), govern::limits_for(change_, late_));
  // Who went on may wait again by now: only the first who does so in a stay rings, so that it is
  // over.
  if (low_ && (!wish.low || broken_ || base() != low_from_ || board_.first_on()))
    raise();
  if (low_)
    return broken_ ? std::optional(now + between_attempts()) : wish.wake;
  if (broken_)
    return std::nullopt;
  if (wish.low && pays() && has_room()) {
    in_vain_ = 0;
    lower(*wait_gear_[base()]);
    return low_ ? wish.wake : std::optional(now + rest());
  }
  if (wish.low) // nothing to gain from it for now
    return now + rest();
  if (wish.wake)
    return wish.wake;
  // Where the ranks' waits are short, what it takes to look at each of them is not worth it.
  constexpr std::size_t patience = 4;
  return in_vain_++ < patience ? std::nullopt : std::optional(now + rest());
}

/// Twice as long each time, while nothing comes of looking.
Seconds WaitGearKeeper::rest() {
  constexpr Seconds shortest{500e-6};
  constexpr std::size_t most_doublings = 4;
  return shortest * std::exp2(static_cast<double>(std::min(in_vain_++, most_doublings)));
}

/// To raise the gear where that has failed.
Seconds WaitGearKeeper::between_attempts() const {
  constexpr std::size_t most = 100;
  return Seconds{1e-3} * static_cast<double>(std::min(refused_, most));
}

bool WaitGearKeeper::has_room() const {
  return cost() <= limits_.anyway + seconds_of(monotonic_ns() - began_) * limits_.share;
}

void WaitGearKeeper::lower(model::Gear gear) {
  if (!board_.begin_low())
    return;
  low_from_ = base();
  try {
    change(gear);
  } catch (const std::exception& error) {
    fail(cannot_be_set, error);
  }
  low_ = gear;
  low_since_ = monotonic_ns();
  board_.note_low(low_since_, gear);
  if (broken_)
    raise();
}

void WaitGearKeeper::raise() {
  try {
    change(std::nullopt);
  } catch (const std::exception& error) {
    fail(cannot_be_left, error);
    ++refused_;
    return;
  }
  refused_ = 0;
  const std::int64_t end = monotonic_ns();
  board_.note_raised(end);
  board_.end_low();
  note_stay(end);
  low_.reset();
}

void WaitGearKeeper::note_stay(std::int64_t end) {
  const Seconds time = seconds_of(end - low_since_);
  const Watts saved = type_.power[low_from_].waiting - type_.power[*low_].waiting;
  ++use_.times;
  use_.time += time;
  use_.gear = *low_;
  use_.saved += saved * time;
  if (const auto on = board_.first_on(); on && *on < end) {
    const double scale = type_.gears.scale(*low_) / type_.gears.scale(low_from_);
    const Seconds held_up = seconds_of(end - std::max(*on, low_since_));
    use_.late += held_up;
    add_cost(held_up * (1 - 1 / scale));
  }
}

void WaitGearKeeper::add_cost(Seconds time) {
  cost_s_.store(cost_s_.load(std::memory_order_relaxed) + time.value(), std::memory_order_relaxed);
  use_.cost = cost();
}

void WaitGearKeeper::fail(const char* what, const std::exception& error) {
  broken_ = true;
  if (use_.problem.empty())
    use_.problem = fmt::format("the wait gear {}: {}", what, error.what());
}

} // namespace hypermile::runtime
