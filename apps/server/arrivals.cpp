#include "server/arrivals.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace apps::server {

double Rate::at(double seconds) const {
  return mean * (1 + swing * std::sin(2 * std::numbers::pi * seconds / day)) * steps.at(seconds);
}

double Rate::largest() const { return mean * (1 + swing) * steps.largest(); }

Arrivals::Arrivals(Rate rate, std::uint64_t seed)
    : rate_(std::move(rate)), largest_(rate_.largest()), random_(seed) {}

double Arrivals::uniform() { return 1 - static_cast<double>(random_() >> 11) * 0x1p-53; }

double Arrivals::next() {
  do
    now_ -= std::log(uniform()) / largest_;
  while (uniform() * largest_ > rate_.at(now_));
  return now_;
}

} // namespace apps::server
