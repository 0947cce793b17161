#include "runtime/loop/drift_watch.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hypermile::runtime {
namespace {

/// What gears are chosen again for, besides three standard errors.
constexpr double least_departure = 0.1;
/// Levels of computation that a rank may be going back and forth between.
constexpr std::size_t most_levels = 8;
constexpr std::size_t most_patience = std::size_t{1} << 30U;

} // namespace

void DriftWatch::Block::add(double computation, double length) {
  ++iterations;
  const double values[2] = {computation, length};
  for (const int i : {0, 1}) {
    sum[i] += values[i];
    squares[i] += values[i] * values[i];
  }
}

void DriftWatch::begin() {
  caused_ = std::exchange(told_, false) || caused_;
  reference_ = recent_ = {};
  known_ = false;
  departed_ = 0;
  since_begin_ = 0;
}

/// A level that was there before the last change: it goes back and forth.
void DriftWatch::refer_to(const Block& first) {
  known_ = true;
  const double level = first.sum[0] / static_cast<double>(first.iterations);
  const auto near = [level](double other) {
    return std::abs(other - level) <= least_departure * std::max(other, level);
  };
  if (std::exchange(caused_, false)) {
    const bool back = std::ranges::any_of(earlier_, near);
    patience_ = back ? std::min(2 * patience_, most_patience) : std::max(patience_ / 2, 2 * block);
  }
  if (earlier_.size() == most_levels)
    earlier_.erase(earlier_.begin());
  earlier_.push_back(level);
}

/// 1: more than at first, -1: less, 0: neither.
int DriftWatch::departure(const Block& recent) const {
  constexpr double count = block;
  for (const int i : {0, 1}) {
    const double mean = reference_.sum[i] / count;
    const double variance =
        std::max(reference_.squares[i] / count - mean * mean, 0.0) * count / (count - 1);
    const double error = std::sqrt(2 * variance / count); // of either mean
    const double change = recent.sum[i] / count - mean;
    if (std::abs(change) > least_departure * mean + 3 * error)
      return change > 0 ? 1 : -1;
  }
  return 0;
}

bool DriftWatch::add(Seconds computation_in_gear0, Seconds length) {
  ++since_begin_;
  Block& current = known_ ? recent_ : reference_;
  current.add(computation_in_gear0.value(), length.value());
  if (current.iterations < block)
    return false;
  if (!known_) {
    refer_to(reference_);
    return false;
  }
  const int now = departure(std::exchange(recent_, {}));
  const bool again = now != 0 && now == std::exchange(departed_, now);
  if (!again || told_ || since_begin_ < patience_)
    return false;
  told_ = true;
  return true;
}

} // namespace hypermile::runtime
