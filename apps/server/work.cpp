#include "server/work.hpp"

#include "kernels/lcg46.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <time.h>

namespace apps::server {
namespace {

/// Numbers that follow each other are far apart (SplitMix64).
std::uint64_t scatter(std::uint64_t number) {
  number += 0x9e3779b97f4a7c15;
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
  number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
  return number ^ (number >> 31);
}

double cpu_microseconds() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) * 1e-3;
}

} // namespace

Sample& Sample::operator+=(const Sample& other) {
  points += other.points;
  inside += other.inside;
  return *this;
}

double Sample::pi() const {
  return points > 0 ? 4 * static_cast<double>(inside) / static_cast<double>(points) : 0;
}

bool Sample::verified() const {
  if (points == 0)
    return inside == 0;
  // The standard deviation of 4 times a share of pi/4; six of them are never seen.
  const double deviation =
      std::sqrt(std::numbers::pi * (4 - std::numbers::pi) / static_cast<double>(points));
  return std::abs(pi() - std::numbers::pi) <= 6 * deviation;
}

Sample draw(std::uint64_t item, std::uint64_t points) {
  hypermile::kernels::Lcg46 random(scatter(item) | 1); // odd numbers have the longest period
  Sample sample{.points = points, .inside = 0};
  for (std::uint64_t i = 0; i < points; ++i) {
    const double x = 2 * random.next() - 1;
    const double y = 2 * random.next() - 1;
    sample.inside += x * x + y * y <= 1 ? 1 : 0;
  }
  return sample;
}

double points_per_microsecond() {
  constexpr std::uint64_t points = 200'000;
  constexpr std::uint64_t rounds = 20;
  double best = 0;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    const double begin = cpu_microseconds();
    const Sample sample = draw(round, points);
    const double time = cpu_microseconds() - begin;
    if (sample.inside > 0 && time > 0)
      best = std::max(best, static_cast<double>(points) / time);
  }
  return best;
}

} // namespace apps::server
