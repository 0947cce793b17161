#include "estimate/least_squares.hpp"

#include "units/error.hpp"

#include <Eigen/Dense>
#include <unsupported/Eigen/NonLinearOptimization>
#include <unsupported/Eigen/NumericalDiff>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace hypermile::estimate {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Residuals of the observations that count. Parameters are seen as multiples of where they
/// started, so that they are alike in size.
class Residuals {
public:
  // As Eigen's solver wants it.
  using Scalar = double;
  using InputType = VectorXd;
  using ValueType = VectorXd;
  using JacobianType = MatrixXd;
  enum { InputsAtCompileTime = Eigen::Dynamic, ValuesAtCompileTime = Eigen::Dynamic };

  Residuals(const Predict& predict, std::span<const double> observed,
            std::vector<std::size_t> which, const VectorXd& scale)
      : predict_(&predict), observed_(observed), which_(std::move(which)), scale_(scale) {}

  [[nodiscard]] int inputs() const { return static_cast<int>(scale_.size()); }
  [[nodiscard]] int values() const { return static_cast<int>(which_.size()); }

  int operator()(const VectorXd& multiples, VectorXd& residuals) const {
    const std::vector<double> predicted = all(multiples);
    for (Eigen::Index i = 0; i < residuals.size(); ++i) {
      const std::size_t row = which_[static_cast<std::size_t>(i)];
      residuals[i] = predicted[row] / observed_[row] - 1;
      if (!std::isfinite(residuals[i]))
        throw Error(ErrorKind::model,
                    "the model takes no time that is a number with some of the "
                    "parameters that were tried",
                    "other values to start from (--set)");
    }
    return 0;
  }

  [[nodiscard]] std::vector<double> all(const VectorXd& multiples) const {
    const VectorXd values = multiples.cwiseProduct(scale_);
    return (*predict_)({values.data(), static_cast<std::size_t>(values.size())});
  }

private:
  const Predict* predict_;
  std::span<const double> observed_;
  std::vector<std::size_t> which_;
  VectorXd scale_;
};

/// Steps that are large enough for predictions with a few digits.
using Differentiated = Eigen::NumericalDiff<Residuals, Eigen::Central>;
constexpr double step = 1e-10; // its root is the relative step

VectorXd minimised(const Residuals& residuals, VectorXd multiples) {
  Differentiated function(residuals, step);
  Eigen::LevenbergMarquardt<Differentiated> solver(function);
  solver.parameters.maxfev = 400;
  solver.minimize(multiples);
  return multiples;
}

std::vector<std::size_t> all_but(std::size_t count, std::size_t left_out) {
  std::vector<std::size_t> which;
  for (std::size_t i = 0; i < count; ++i)
    if (i != left_out)
      which.push_back(i);
  return which;
}

/// Half the widths of the intervals, in multiples.
VectorXd half_widths(const Residuals& residuals, const VectorXd& best) {
  const auto rows = residuals.values();
  const auto count = residuals.inputs();
  if (rows <= count)
    return VectorXd::Constant(count, std::numeric_limits<double>::infinity());
  MatrixXd jacobian(rows, count);
  VectorXd errors(rows);
  Differentiated(residuals, step).df(best, jacobian);
  residuals(best, errors);
  const MatrixXd information = jacobian.transpose() * jacobian;
  const Eigen::FullPivLU<MatrixXd> solved(information);
  if (!solved.isInvertible())
    throw Error(ErrorKind::model,
                "these observations do not tell the parameters apart: some change nothing, or only "
                "together",
                "fewer parameters, or observations of other sizes");
  const auto freedom = static_cast<std::size_t>(rows - count);
  const double variance = errors.squaredNorm() / static_cast<double>(freedom);
  return student_t_95(freedom) * (variance * solved.inverse().diagonal()).cwiseSqrt();
}

/// Of Student's t distribution, without its constant factor.
double density(double t, double freedom) {
  return std::pow(1 + t * t / freedom, -(freedom + 1) / 2);
}

/// The probability that |t| is less than `limit`, by Simpson's rule.
double probability_within(double limit, double freedom) {
  constexpr int steps = 2000;
  const double width = limit / steps;
  double sum = density(0, freedom) + density(limit, freedom);
  for (int i = 1; i < steps; ++i)
    sum += (i % 2 == 1 ? 4 : 2) * density(i * width, freedom);
  const double factor = std::exp(std::lgamma((freedom + 1) / 2) - std::lgamma(freedom / 2)) /
                        std::sqrt(freedom * std::numbers::pi);
  return 2 * factor * sum * width / 3;
}

} // namespace

double student_t_95(std::size_t freedom) {
  double low = 1;
  double high = 20;
  while (high - low > 1e-9) {
    const double middle = (low + high) / 2;
    (probability_within(middle, static_cast<double>(freedom)) < 0.95 ? low : high) = middle;
  }
  return (low + high) / 2;
}

double relative_error(std::span<const double> predicted, std::span<const double> observed) {
  double sum = 0;
  for (std::size_t i = 0; i < observed.size(); ++i)
    sum += std::pow(predicted[i] / observed[i] - 1, 2);
  return std::sqrt(sum / static_cast<double>(observed.size()));
}

Fit fit(const Predict& predict, std::span<const double> observed, std::span<const double> start) {
  const std::size_t rows = observed.size();
  if (rows < start.size())
    throw Error(ErrorKind::model, "there are fewer observations than parameters to estimate",
                "fewer parameters, or more observations");
  VectorXd scale(static_cast<Eigen::Index>(start.size()));
  VectorXd first(scale.size());
  for (Eigen::Index i = 0; i < scale.size(); ++i) {
    const double value = start[static_cast<std::size_t>(i)];
    scale[i] = value == 0 ? 1 : value;
    first[i] = value == 0 ? 0 : 1;
  }
  const Residuals residuals(predict, observed, all_but(rows, rows), scale);
  const VectorXd best = minimised(residuals, first);
  const VectorXd half = half_widths(residuals, best).cwiseProduct(scale.cwiseAbs());
  Fit result{.parameters = {}, .fitted = residuals.all(best), .left_out = {}};
  for (Eigen::Index i = 0; i < best.size(); ++i) {
    const double value = best[i] * scale[i];
    result.parameters.push_back({value, value - half[i], value + half[i]});
  }
  for (std::size_t row = 0; row < rows && rows > start.size(); ++row) {
    const Residuals others(predict, observed, all_but(rows, row), scale);
    result.left_out.push_back(others.all(minimised(others, best))[row]);
  }
  return result;
}

} // namespace hypermile::estimate
