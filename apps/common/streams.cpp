#include "common/streams.hpp"

#include "common/larger.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

namespace apps {
namespace {

/// Of array number `array`, before the first sweep. Exact.
double first_value(std::size_t array, std::size_t kind) {
  return 1.0 + static_cast<double>(array * Streams::kinds + kind) / 64.0;
}

double next(double before_last, double last) {
  return (1.0 - Streams::weight) * before_last + Streams::weight * last;
}

/// Arrays that follow each other in memory: the compiler knows that none is another.
void combine(const double* __restrict before_last, const double* __restrict last,
             double* __restrict result, std::size_t length) {
  for (std::size_t i = 0; i < length; ++i)
    result[i] = next(before_last[i], last[i]);
}

} // namespace

Streams::Streams(std::size_t first, std::size_t length) : first_(first) {
  for (auto& array : arrays_)
    array.resize(length);
  restart();
}

void Streams::restart() {
  oldest_ = 0;
  for (std::size_t a = 0; a < arrays_.size(); ++a)
    for (std::size_t i = 0; i < arrays_[a].size(); ++i)
      arrays_[a][i] = first_value(a, (first_ + i) % kinds);
}

/// The oldest array is not needed any more.
void Streams::sweep() {
  const auto& before_last = arrays_[(oldest_ + 1) % 3];
  const auto& last = arrays_[(oldest_ + 2) % 3];
  combine(before_last.data(), last.data(), arrays_[oldest_].data(), last.size());
  oldest_ = (oldest_ + 1) % 3;
}

/// By blocks: added up one by one, millions of elements leave a sum that depends on how many ranks
/// share them.
double Streams::sum() const {
  constexpr std::size_t block = 1024;
  const std::span<const double> newest = arrays_[(oldest_ + 2) % 3];
  double sum = 0;
  for (std::size_t first = 0; first < newest.size(); first += block) {
    const auto part = newest.subspan(first, std::min(block, newest.size() - first));
    sum += std::accumulate(part.begin(), part.end(), 0.0);
  }
  return sum;
}

double Streams::error(int sweeps) const {
  std::array<double, kinds> expected{};
  for (std::size_t kind = 0; kind < kinds; ++kind)
    expected[kind] = element_after(sweeps, kind);
  double largest = 0;
  const auto& newest = arrays_[(oldest_ + 2) % 3];
  for (std::size_t i = 0; i < newest.size(); ++i)
    largest = larger(largest, std::abs(newest[i] - expected[(first_ + i) % kinds]));
  return largest;
}

double element_after(int sweeps, std::size_t kind) {
  double before_last = first_value(1, kind);
  double last = first_value(2, kind);
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    const double value = next(before_last, last);
    before_last = last;
    last = value;
  }
  return last;
}

ExpectedSum::ExpectedSum(std::size_t length) : length_(static_cast<double>(length)) {
  for (std::size_t i = 0; i < Streams::kinds; ++i) {
    const std::size_t elements = (length + Streams::kinds - 1 - i) / Streams::kinds;
    before_last_ += static_cast<double>(elements) * first_value(1, i);
    last_ += static_cast<double>(elements) * first_value(2, i);
  }
}

double ExpectedSum::error(double sum) {
  before_last_ = std::exchange(last_, next(before_last_, last_));
  return std::abs(sum / last_ - 1);
}

double ExpectedSum::bound() const { return 4 * length_ * std::numeric_limits<double>::epsilon(); }

} // namespace apps
