#include "estimate/difference.hpp"

#include "estimate/student_t.hpp"

#include <cmath>

namespace hypermile::estimate {
namespace {

/// Of the mean of a sample.
double variance_of_mean(const Sample& sample) {
  return sample.deviation * sample.deviation / static_cast<double>(sample.count);
}

/// Welch's t for both samples; any number where neither has a deviation.
double t_of(const Sample& a, const Sample& b, double confidence) {
  const double of_a = variance_of_mean(a);
  const double of_b = variance_of_mean(b);
  if (of_a + of_b == 0)
    return 0;
  // Shares, as squares of small variances might vanish.
  const double share_a = of_a / (of_a + of_b);
  const double share_b = of_b / (of_a + of_b);
  const double freedom = 1 / (share_a * share_a / static_cast<double>(a.count - 1) +
                              share_b * share_b / static_cast<double>(b.count - 1));
  return student_t_within(confidence, freedom);
}

} // namespace

Sample sample_of(std::span<const double> values) {
  const auto count = static_cast<double>(values.size());
  // Against the first value, so that equal ones do not differ by rounding.
  double sum = 0;
  for (const double value : values)
    sum += value - values.front();
  const double offset = sum / count;
  double squares = 0;
  for (const double value : values)
    squares += std::pow(value - values.front() - offset, 2);
  return {.count = values.size(),
          .mean = values.front() + offset,
          .deviation = values.size() < 2 ? 0 : std::sqrt(squares / (count - 1))};
}

std::optional<Interval> difference_interval(const Sample& a, const Sample& b, double confidence) {
  if (a.count < 2 || b.count < 2)
    return std::nullopt;
  const double half = t_of(a, b, confidence) * std::sqrt(variance_of_mean(a) + variance_of_mean(b));
  return Interval{b.mean - a.mean - half, b.mean - a.mean + half};
}

std::optional<Interval> ratio_interval(const Sample& a, const Sample& b, double confidence) {
  if (a.count < 2 || b.count < 2)
    return std::nullopt;
  // All ratios r for which |b - r a| <= t sqrt(V(b) + r^2 V(a)); the ends solve a quadratic
  // equation.
  const double t = t_of(a, b, confidence);
  const double spread_a = t * t * variance_of_mean(a);
  const double spread_b = t * t * variance_of_mean(b);
  const double divisor = a.mean * a.mean - spread_a;
  if (divisor <= 0)
    return std::nullopt;
  const double root = std::sqrt(spread_a * b.mean * b.mean + spread_b * divisor);
  return Interval{(a.mean * b.mean - root) / divisor, (a.mean * b.mean + root) / divisor};
}

std::optional<Interval> mean_interval(const Sample& sample, double confidence) {
  if (sample.count < 2)
    return std::nullopt;
  const double half = student_t_within(confidence, static_cast<double>(sample.count - 1)) *
                      std::sqrt(variance_of_mean(sample));
  return Interval{sample.mean - half, sample.mean + half};
}

} // namespace hypermile::estimate
