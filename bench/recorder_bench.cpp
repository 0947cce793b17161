// Time per MPI call that recording a timeline costs, without and with a clock that is read twice
// per call as a session does. An iteration is one call; MPI itself is not called.

#include "runtime/record/recorder.hpp"

#include <benchmark/benchmark.h>

#include <ctime>
#include <memory>
#include <vector>

namespace hypermile::bench {
namespace {

using model::Action;
using model::Operation;
using runtime::Recorder;

constexpr Seconds no_time{};

struct NoClock {
  static Seconds now() { return no_time; }
};
struct SystemClock {
  static Seconds now() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return Seconds{static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec)};
  }
};

/// Messages of so many different kinds, each a call that posts and completes.
template <class Clock> void blocking_calls(benchmark::State& state) {
  std::vector<Operation> operations(static_cast<std::size_t>(state.range(0)));
  for (std::size_t i = 0; i < operations.size(); ++i)
    operations[i] = {.action = Action::send,
                     .function = 1,
                     .partner = static_cast<std::int32_t>(i),
                     .communicator = 1,
                     .bytes = 8 * i};
  // Reserving the memory first would hide what it costs to get it.
  auto recorder = std::make_unique<Recorder>(no_time);
  std::size_t calls = 0;
  Seconds left;
  for (auto _ : state) {
    const Seconds entered = Clock::now();
    recorder->complete(1, recorder->add(operations[calls % operations.size()]));
    const Seconds now = Clock::now();
    recorder->end_call(1, Recorder::Poll::no, entered - left, now - entered);
    left = now;
    if (++calls % (Recorder::whole_run.most_events / 2) == 0) {
      state.PauseTiming();
      recorder = std::make_unique<Recorder>(no_time);
      state.ResumeTiming();
    }
  }
}

/// A receive that learns what came when it is completed by another call; half of it per call.
void receives(benchmark::State& state) {
  const Operation open{.function = 1};
  const Operation came{.action = Action::receive, .function = 1, .partner = 3, .bytes = 800};
  auto recorder = std::make_unique<Recorder>(no_time);
  std::size_t calls = 0;
  std::uint64_t event = 0;
  for (auto _ : state) {
    const bool posts = calls % 2 == 0;
    if (posts) {
      event = recorder->add(open);
    } else {
      recorder->amend(event, came);
      recorder->complete(2, event);
    }
    recorder->end_call(posts ? 1 : 2, Recorder::Poll::no, no_time, no_time);
    if (++calls % Recorder::whole_run.most_events == 0) {
      state.PauseTiming();
      recorder = std::make_unique<Recorder>(no_time);
      state.ResumeTiming();
    }
  }
}

void polls(benchmark::State& state) {
  Recorder recorder(no_time);
  for (auto _ : state)
    recorder.end_call(1, Recorder::Poll::yes, no_time, no_time);
}

BENCHMARK(blocking_calls<NoClock>)->Arg(1)->Arg(100)->Arg(100'000);
BENCHMARK(blocking_calls<SystemClock>)->Arg(1)->Arg(100)->Arg(100'000);
BENCHMARK(receives);
BENCHMARK(polls);

} // namespace
} // namespace hypermile::bench
