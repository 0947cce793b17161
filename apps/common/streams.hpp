#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace apps {

/// Three long arrays that are read and written from end to end, as in STREAM's triad: hardly any
/// arithmetic, so that a core mostly waits for memory. In each sweep the oldest array gets
///
///     x(n) = (1 - weight) x(n-2) + weight x(n-1)
///
/// element by element. Elements are alike where their indices differ by `kinds`.
class Streams {
public:
  static constexpr std::size_t kinds = 7;
  static constexpr double weight = 0.375; ///< products with it round as seldom as may be

  /// Element number `first` of all ranks' is the first one.
  Streams(std::size_t first, std::size_t length);

  void sweep();
  /// As before the first sweep.
  void restart();
  /// Of the newest array.
  [[nodiscard]] double sum() const;
  /// The largest difference of any element from what one by itself comes to in so many sweeps.
  [[nodiscard]] double error(int sweeps) const;

private:
  std::size_t first_;
  std::array<std::vector<double>, 3> arrays_;
  std::size_t oldest_ = 0;
};

/// What element `kind` of the newest array is after so many sweeps.
double element_after(int sweeps, std::size_t kind);

/// What all elements of the newest array come to, sweep by sweep: no other memory is needed.
class ExpectedSum {
public:
  /// Of so many elements.
  explicit ExpectedSum(std::size_t length);
  /// After one more sweep: how far this is off, as a part of it.
  [[nodiscard]] double error(double sum);
  /// How far it may be off: each sum rounds once for every element.
  [[nodiscard]] double bound() const;

private:
  double length_;
  double before_last_ = 0;
  double last_ = 0;
};

} // namespace apps
