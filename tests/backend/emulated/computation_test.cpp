// How long emulated computation takes, against the same without emulation. Other programs disturb
// that: the least of several runs counts.

#include "backend/emulated/computation.hpp"
#include "control/kept_gear.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <thread>
#include <utility>

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

double seconds(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// How many times as long it takes with `parts` computations of some rounds in a gear.
double stretch(std::size_t gear, std::size_t parts, std::size_t rounds) {
  control::KeptGear actuator;
  actuator.set_gear(gear);
  double plain = std::numeric_limits<double>::infinity();
  double emulated = plain;
  for (int run = 0; run < 12; ++run) {
    plain = std::min(plain, seconds([&] {
                       for (std::size_t part = 0; part < parts; ++part)
                         compute(rounds);
                     }));
    EmulatedComputation computation(node(), Speed{1}, actuator, EmulatedComputation::Pause::awake);
    emulated = std::min(emulated, seconds([&] {
                          for (std::size_t part = 0; part < parts; ++part) {
                            computation.resume();
                            compute(rounds);
                            computation.charge(0, 0);
                          }
                        }));
  }
  return emulated / plain;
}

/// Wide limits, for busy machines: two readings of a thread's CPU clock take as long as the
/// shortest of these.
TEST(EmulatedComputation, takes_about_as_long_as_without_emulation_however_short_it_is) {
  EXPECT_LT(stretch(0, 20, 500'000), 3);
  EXPECT_LT(stretch(0, 200, 50'000), 3);
  EXPECT_LT(stretch(0, 8'000, 1'000), 3);
}

TEST(EmulatedComputation, is_stretched_alike_however_short_it_is) {
  for (const auto& [parts, rounds] :
       {std::pair<std::size_t, std::size_t>{20, 500'000}, {200, 50'000}, {8'000, 1'000}}) {
    const double ratio = stretch(1, parts, rounds);
    EXPECT_GT(ratio, 1.3) << rounds;
    EXPECT_LT(ratio, 4.5) << rounds;
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
