#pragma once

#include <cstddef>
#include <optional>
#include <vector>

/// What passes say of the median of all passes that there might be, whatever their distribution:
/// H. A. David and H. N. Nagaraja, "Order Statistics" (2003), 7.1.
namespace hypermile::collective {

[[nodiscard]] double median(std::vector<double> values);

/// The probability that of `count` fair coins at most `most` fall on one given side.
[[nodiscard]] double coins_at_most(std::size_t count, std::size_t most);

struct MedianInterval {
  double low;
  double high;
  /// The probability with which such an interval holds the median; more if values can be equal.
  double confidence;
};

/// From the k-th least to the k-th largest value, k being the largest with which the confidence is
/// reached; where no k does, the least and the largest, and what they reach. None: less than two
/// values.
[[nodiscard]] std::optional<MedianInterval> median_interval(std::vector<double> values,
                                                            double confidence);

/// The least number of values that reach this confidence, which is less than 1.
[[nodiscard]] std::size_t values_needed(double confidence);

} // namespace hypermile::collective
