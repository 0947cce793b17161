#include "server/latencies.hpp"

#include <algorithm>
#include <cmath>

namespace apps::server {
namespace {

constexpr double shortest = 1e-6;
constexpr double longest = 86'400;
constexpr double width = 1.01;

std::size_t class_of(double seconds) {
  return static_cast<std::size_t>(std::ceil(std::log(seconds / shortest) / std::log(width)));
}

} // namespace

Latencies::Latencies() : classes_(class_of(longest) + 1) {}

void Latencies::add(double seconds) {
  ++classes_[class_of(std::clamp(seconds, shortest, longest))];
  ++count_;
  sum_ += seconds;
}

double Latencies::mean() const { return count_ > 0 ? sum_ / static_cast<double>(count_) : 0; }

double Latencies::quantile(double share) const {
  const double wanted = share * static_cast<double>(count_);
  double below = 0;
  for (std::size_t i = 0; i < classes_.size() && count_ > 0; ++i)
    if (below += static_cast<double>(classes_[i]); below >= wanted)
      return shortest * std::pow(width, static_cast<double>(i));
  return 0;
}

} // namespace apps::server
