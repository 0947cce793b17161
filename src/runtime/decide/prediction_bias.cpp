#include "runtime/decide/prediction_bias.hpp"

namespace hypermile::runtime {
namespace {

/// From one choice to the next, other gears are wrong by something else.
constexpr double change = 0.01;
/// No comparison is surer than this.
constexpr double least_error = 0.002;

} // namespace

void PredictionBias::learn(double excess, double error) {
  variance_ += change * change;
  const double gain = variance_ / (variance_ + error * error + least_error * least_error);
  mean_ += gain * (excess - mean_);
  variance_ *= 1 - gain;
}

} // namespace hypermile::runtime
