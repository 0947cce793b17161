// How long emulated computation takes, against the same without emulation. Other programs disturb
// that: what counts is the time on a core, and one of several runs.

#include "backend/emulated/computation.hpp"
#include "control/kept_gear.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <functional>
#include <limits>
#include <thread>
#include <utility>
#include <vector>

namespace hypermile::backend::emulated {
namespace {

using namespace std::chrono_literals;

/// Gears with S = 1 and 2, as fast as the machine at hand.
model::NodeType node() {
  const model::GearTable gears({Hertz{2e9}, Hertz{1e9}});
  return {.name = "node",
          .speed = Speed{1},
          .gears = gears,
          .power = model::cubic_power(gears, Watts{80}, Watts{20})};
}

void compute(std::size_t rounds) {
  volatile std::size_t sum = 0;
  for (std::size_t i = 0; i < rounds; ++i)
    sum = sum + i;
}

/// On a core, in s.
double seconds(const std::function<void()>& work) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  const double begin = now();
  work();
  return now() - begin;
}

/// How many times as long it takes with `parts` computations of some rounds in a gear, in several
/// runs, in order.
std::vector<double> stretch(std::size_t gear, std::size_t parts, std::size_t rounds) {
  control::KeptGear actuator;
  actuator.set_gear(gear);
  std::vector<double> ratios;
  for (int run = 0; run < 12; ++run) {
    const double plain = seconds([&] {
      for (std::size_t part = 0; part < parts; ++part)
        compute(rounds);
    });
    EmulatedComputation computation(node(), Speed{1}, actuator, EmulatedComputation::Pause::awake);
    ratios.push_back(seconds([&] {
                       for (std::size_t part = 0; part < parts; ++part) {
                         computation.resume();
                         compute(rounds);
                         computation.charge(0, 0);
                       }
                     }) /
                     plain);
  }
  std::ranges::sort(ratios);
  return ratios;
}

/// Wide limits, for busy machines: two readings of a thread's CPU clock take as long as the
/// shortest of these.
TEST(EmulatedComputation, takes_about_as_long_as_without_emulation_however_short_it_is) {
  EXPECT_LT(stretch(0, 20, 500'000).front(), 3);
  EXPECT_LT(stretch(0, 200, 50'000).front(), 3);
  EXPECT_LT(stretch(0, 8'000, 1'000).front(), 3);
}

TEST(EmulatedComputation, is_stretched_alike_however_short_it_is) {
  for (const auto& [parts, rounds] :
       {std::pair<std::size_t, std::size_t>{20, 500'000}, {200, 50'000}, {8'000, 1'000}}) {
    const auto ratios = stretch(1, parts, rounds);
    EXPECT_GT(ratios.back(), 1.3) << rounds;
    EXPECT_LT(ratios.front(), 4.5) << rounds;
  }
}

/// What charge() takes at least, in s, in a gear that doubles what was computed since resume().
double least_charge(const std::function<void(EmulatedComputation&)>& before) {
  control::KeptGear actuator;
  actuator.set_gear(1);
  EmulatedComputation computation(node(), Speed{1}, actuator, EmulatedComputation::Pause::awake);
  double least = std::numeric_limits<double>::infinity();
  for (int run = 0; run < 5; ++run) {
    before(computation);
    least = std::min(least, seconds([&] { computation.charge(0, 0); }));
  }
  return least;
}

/// What passes while the thread has no core, here because it sleeps, is not computation.
TEST(EmulatedComputation, is_not_what_passes_without_a_core) {
  EXPECT_LT(least_charge([](EmulatedComputation& computation) {
              computation.resume();
              std::this_thread::sleep_for(30ms);
            }),
            0.010);
}

TEST(EmulatedComputation, is_not_what_another_thread_began) {
  EXPECT_LT(least_charge([](EmulatedComputation& computation) {
              std::thread([&] { computation.resume(); }).join();
              compute(10'000'000);
            }),
            0.005);
}

} // namespace
} // namespace hypermile::backend::emulated
