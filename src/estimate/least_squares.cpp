#include "estimate/least_squares.hpp"

#include "estimate/student_t.hpp"

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

/// What a residual is where the model refuses the parameters: no step leads there.
constexpr double refused = 1e6;

/// Residuals of the observations that count, over unknowns that are alike in size: the logarithm
/// of a parameter over its start, or a parameter that starts at 0 itself.
class Residuals {
public:
  // As Eigen's solver wants it.
  using Scalar = double;
  using InputType = VectorXd;
  using ValueType = VectorXd;
  using JacobianType = MatrixXd;
  enum { InputsAtCompileTime = Eigen::Dynamic, ValuesAtCompileTime = Eigen::Dynamic };

  Residuals(const Predict& predict, std::span<const double> observed,
            std::vector<std::size_t> which, std::span<const double> start)
      : predict_(&predict), observed_(observed), which_(std::move(which)), start_(start) {}

  [[nodiscard]] int inputs() const { return static_cast<int>(start_.size()); }
  [[nodiscard]] int values() const { return static_cast<int>(which_.size()); }

  int operator()(const VectorXd& unknowns, VectorXd& residuals) const {
    std::vector<double> predicted(observed_.size(), std::numeric_limits<double>::quiet_NaN());
    try {
      predicted = all(unknowns);
    } catch (const Error&) { // as the start has been tried, other parameters are at fault
    }
    for (Eigen::Index i = 0; i < residuals.size(); ++i) {
      const std::size_t row = which_[static_cast<std::size_t>(i)];
      const double residual = predicted[row] / observed_[row] - 1;
      residuals[i] = std::isfinite(residual) ? residual : refused;
    }
    return 0;
  }

  [[nodiscard]] std::vector<double> all(const VectorXd& unknowns) const {
    std::vector<double> values;
    for (Eigen::Index i = 0; i < unknowns.size(); ++i)
      values.push_back(value(unknowns, i));
    return (*predict_)(values);
  }
  [[nodiscard]] double value(const VectorXd& unknowns, Eigen::Index i) const {
    const double start = start_[static_cast<std::size_t>(i)];
    return start == 0 ? unknowns[i] : start * std::exp(unknowns[i]);
  }
  /// By how much the value changes with its unknown.
  [[nodiscard]] double slope(const VectorXd& unknowns, Eigen::Index i) const {
    return start_[static_cast<std::size_t>(i)] == 0 ? 1 : std::abs(value(unknowns, i));
  }
  /// Whether it has shrunk to next to nothing, and would change its sign if it could.
  [[nodiscard]] bool is_at_bound(const VectorXd& unknowns, Eigen::Index i) const {
    constexpr double nothing = -10; // as the logarithm of a share
    return start_[static_cast<std::size_t>(i)] != 0 && unknowns[i] < nothing;
  }

private:
  const Predict* predict_;
  std::span<const double> observed_;
  std::vector<std::size_t> which_;
  std::span<const double> start_;
};

/// Steps that are large enough for predictions with a few digits.
using Differentiated = Eigen::NumericalDiff<Residuals, Eigen::Central>;
constexpr double step = 1e-10; // its root is the relative step

VectorXd minimised(const Residuals& residuals, VectorXd unknowns) {
  Differentiated function(residuals, step);
  Eigen::LevenbergMarquardt<Differentiated> solver(function);
  solver.parameters.maxfev = 400;
  solver.minimize(unknowns);
  return unknowns;
}

std::vector<std::size_t> all_but(std::size_t count, std::size_t left_out) {
  std::vector<std::size_t> which;
  for (std::size_t i = 0; i < count; ++i)
    if (i != left_out)
      which.push_back(i);
  return which;
}

/// Half the widths of the intervals of the unknowns; 0 for those at their bound.
VectorXd half_widths(const Residuals& residuals, const VectorXd& best) {
  const auto rows = residuals.values();
  const auto count = residuals.inputs();
  if (rows <= count)
    return VectorXd::Constant(count, std::numeric_limits<double>::infinity());
  MatrixXd jacobian(rows, count);
  VectorXd errors(rows);
  Differentiated(residuals, step).df(best, jacobian);
  residuals(best, errors);
  std::vector<Eigen::Index> free;
  for (Eigen::Index i = 0; i < best.size(); ++i)
    if (!residuals.is_at_bound(best, i))
      free.push_back(i);
  const MatrixXd columns = jacobian(Eigen::all, free);
  const Eigen::FullPivLU<MatrixXd> solved(columns.transpose() * columns);
  if (!solved.isInvertible())
    throw Error(ErrorKind::model,
                "these observations do not tell the parameters apart: some change nothing, or only "
                "together",
                "fewer parameters, or observations of other sizes");
  const auto freedom = static_cast<std::size_t>(rows - count);
  const double variance = errors.squaredNorm() / static_cast<double>(freedom);
  VectorXd half = VectorXd::Zero(count);
  half(free) = student_t_95(freedom) * (variance * solved.inverse().diagonal()).cwiseSqrt();
  return half;
}

} // namespace

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
  for (const double predicted : predict(start))
    if (!std::isfinite(predicted))
      throw Error(ErrorKind::model, "what the model makes of the first values is no number",
                  "other values to start from (--set)");
  const Residuals residuals(predict, observed, all_but(rows, rows), start);
  const VectorXd first = VectorXd::Zero(static_cast<Eigen::Index>(start.size()));
  const VectorXd best = minimised(residuals, first);
  const VectorXd half = half_widths(residuals, best);
  Fit result{.parameters = {}, .fitted = residuals.all(best), .left_out = {}};
  for (Eigen::Index i = 0; i < best.size(); ++i) {
    const double value = residuals.value(best, i);
    const double width = half[i] * residuals.slope(best, i);
    result.parameters.push_back(
        {value, value - width, value + width, residuals.is_at_bound(best, i)});
  }
  VectorXd again = best; // but none from a bound, which nothing leads away from
  for (Eigen::Index i = 0; i < again.size(); ++i)
    if (residuals.is_at_bound(best, i))
      again[i] = 0;
  for (std::size_t row = 0; row < rows && rows > start.size(); ++row) {
    const Residuals others(predict, observed, all_but(rows, row), start);
    result.left_out.push_back(others.all(minimised(others, again))[row]);
  }
  return result;
}

} // namespace hypermile::estimate
