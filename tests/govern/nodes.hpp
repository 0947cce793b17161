#pragma once

#include "govern/governor.hpp"

#include <cmath>
#include <random>

namespace hypermile::test {

/// A node with gears of 2.5, 2 and 1 GHz (S = 1, 1.25, 2.5). Waiting draws 4, 3.5 and 2.5 W.
inline govern::Node node(std::size_t ranks = 1) {
  return {.type = {.name = "type",
                   .cores = 4,
                   .speed = Speed{40e9},
                   .gears = model::GearTable{{Hertz{2.5e9}, Hertz{2e9}, Hertz{1e9}}},
                   .power = {{Watts{24}, Watts{4}, Watts{3}},
                             {Watts{15}, Watts{3.5}, Watts{3}},
                             {Watts{6}, Watts{2.5}, Watts{3}}}},
          .ranks = ranks};
}

inline govern::Moment at(double seconds, model::Gear chosen = 0) {
  return {.time = Seconds{seconds}, .chosen = chosen};
}

/// Ranks that compute and call MPI for random times of 10 us to 100 ms, in the order of time. The
/// governor is woken when it wants to be. `observe(now, wish, waiting)` is told after each event
/// what the governor wants, and which ranks are in MPI.
template <class Observe>
void run_randomly(govern::Governor& governor, std::size_t ranks, unsigned seed,
                  const Observe& observe) {
  std::mt19937 engine(seed);
  const auto some_time = [&] {
    return std::pow(10.0, std::uniform_real_distribution(-5.0, -1.0)(engine));
  };
  std::vector<bool> waiting(ranks, false);
  std::vector<double> next(ranks);
  for (double& time : next)
    time = some_time();
  govern::Wish wish = governor.begin(at(0));
  observe(0.0, wish, waiting);
  for (int events = 0; events < 400;) {
    const auto rank = static_cast<std::size_t>(std::ranges::min_element(next) - next.begin());
    const double now =
        wish.wake && wish.wake->value() < next[rank] ? wish.wake->value() : next[rank];
    if (now < next[rank]) {
      wish = governor.wake(at(now));
    } else {
      ++events;
      wish = waiting[rank] ? governor.leave(rank, at(now), engine() % 3 + 1)
                           : governor.enter(rank, at(now), engine() % 4 != 0);
      waiting[rank] = !waiting[rank];
      next[rank] = now + some_time();
    }
    observe(now, wish, waiting);
  }
}

} // namespace hypermile::test
