#include "backend/emulated/computation.hpp"

#include "control/kept_gear.hpp"
#include "model/sensitivity.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <ctime>
#include <utility>

namespace hypermile::backend::emulated {
namespace {

/// Less than this is kept for later: to let it pass would take longer than it is.
constexpr Seconds shortest_pause{2e-6};
/// A process that gets the core in place of this one keeps it for longer than this.
constexpr Seconds undisturbed{100e-6};
/// What is lost to others, or asleep, in so short a time does not matter.
constexpr Seconds soon{25e-6};
/// A sleeping thread wakes up late by up to this: the end of a pause is waited for awake.
constexpr Seconds late{150e-6};

Seconds time_on(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return Seconds{static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec)};
}

timespec to_timespec(Seconds time) {
  const double whole = std::floor(time.value());
  return {.tv_sec = static_cast<time_t>(whole),
          .tv_nsec = static_cast<long>((time.value() - whole) * 1e9)};
}

} // namespace

control::Finding probe(const control::Access& access) {
  return {.what = "this machine behaves like the nodes of --platform", .gears = access.gears};
}

control::OpenGears open(const control::Access& access) {
  return {.gears = access.gears, .actuator = std::make_unique<control::KeptGear>()};
}

EmulatedComputation::EmulatedComputation(const model::NodeType& type, Speed speed_of_machine,
                                         const control::Actuator& actuator, Pause pause,
                                         Sensitivity sensitivity)
    : gears_(type.gears), slower_(speed_of_machine / type.speed), actuator_(actuator),
      sensitivity_(std::move(sensitivity)), pause_(pause), thread_(pthread_self()) {
  if (!sensitivity_)
    sensitivity_ = [of_type = type.sensitivity](std::uint16_t, std::uint32_t) { return of_type; };
  if (slower_ < 1)
    throw Error(ErrorKind::config,
                fmt::format("a node of type {} is faster than the machine that is to emulate it",
                            type.name),
                "the speed of the platform's fastest node as that of this machine");
  resume();
}

EmulatedComputation::CpuTime EmulatedComputation::read_cpu_time(Seconds now) {
  return {.used = time_on(CLOCK_THREAD_CPUTIME_ID), .at = now};
}

/// Since resume().
Seconds EmulatedComputation::computed() {
  const Seconds now = time_on(CLOCK_MONOTONIC);
  const Seconds passed = now - resumed_;
  if (passed < undisturbed)
    return passed;
  const CpuTime before = std::exchange(last_read_, read_cpu_time(now));
  const Seconds lost = (now - before.at) - (last_read_.used - before.used);
  return std::clamp(passed - lost, Seconds{}, passed);
}

void EmulatedComputation::charge(std::uint16_t operation, std::uint32_t place) {
  if (pthread_equal(thread_, pthread_self()) == 0)
    return;
  const Seconds time = computed();
  const double sensitivity = sensitivity_(operation, place);
  const double stretch = model::stretch(gears_.scale(actuator_.gear()), sensitivity);
  owed_ += time * (slower_ * stretch - 1);
  if (low_) {
    const Seconds before = time_on(CLOCK_MONOTONIC);
    owed_ += held_up(time * slower_, stretch, sensitivity);
    owed_ -= time_on(CLOCK_MONOTONIC) - before;
  }
  if (owed_ < shortest_pause)
    return;
  const Seconds begin = time_on(CLOCK_MONOTONIC);
  pass(owed_);
  owed_ -= time_on(CLOCK_MONOTONIC) - begin;
}

/// So much longer did that computation take because the node was in a lower gear. While it still
/// is, what it computes is under way as long as it takes in that gear: until somebody raises it.
Seconds EmulatedComputation::held_up(Seconds in_gear0, double stretch, double sensitivity) const {
  Low low = low_();
  if (low.until <= resumed_)
    return {};
  const double in_low = model::stretch(gears_.scale(low.gear), sensitivity);
  const Seconds begin = std::max(low.from, resumed_);
  const Seconds last = begin + in_gear0 * in_low;
  while (low.until > last && time_on(CLOCK_MONOTONIC) < last)
    low = low_();
  const Seconds slowly = std::max(std::min(low.until, last) - begin, Seconds{});
  return slowly - slowly / in_low * stretch;
}

void EmulatedComputation::pass(Seconds time) {
  const Seconds end = time_on(CLOCK_MONOTONIC) + time;
  if (pause_ == Pause::asleep && time > late) {
    const timespec wake_up = to_timespec(end - late);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wake_up, nullptr) == EINTR) {
    }
  }
  while (time_on(CLOCK_MONOTONIC) < end) {
  }
}

void EmulatedComputation::resume() {
  resumed_ = time_on(CLOCK_MONOTONIC);
  const pthread_t before = std::exchange(thread_, pthread_self());
  if (pthread_equal(before, thread_) == 0 || resumed_ - last_read_.at > soon)
    last_read_ = read_cpu_time(resumed_);
}

} // namespace hypermile::backend::emulated
