#pragma once

namespace hypermile::runtime {

/// By how much more time gears take than was predicted, as far as the comparisons so far tell.
/// Each counts as much as it is sure, against a prior of no bias give or take 5 points.
class PredictionBias {
public:
  [[nodiscard]] double value() const { return mean_ > 0 ? mean_ : 0; }
  /// Measured minus predicted time, against gear 0, and the standard error of that.
  void learn(double excess, double error);
  /// Nothing was tried because of it: it may be less by now.
  void relax() { mean_ *= 0.7; }

private:
  double mean_ = 0;
  double variance_ = 0.05 * 0.05;
};

} // namespace hypermile::runtime
