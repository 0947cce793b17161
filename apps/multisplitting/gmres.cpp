#include "multisplitting/gmres.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace apps::multisplitting {
namespace {

/// A new basis vector of less than this share of what it was made from is rounding.
constexpr double nothing_new = 1e-14;

void add(double factor, std::span<const double> vector, std::span<double> to) {
  for (std::size_t i = 0; i < to.size(); ++i)
    to[i] += factor * vector[i];
}

} // namespace

double dot(std::span<const double> a, std::span<const double> b) {
  double sums[4] = {}; // four that do not wait for each other
  std::size_t i = 0;
  for (; i + 4 <= a.size(); i += 4)
    for (std::size_t lane = 0; lane < 4; ++lane)
      sums[lane] += a[i + lane] * b[i + lane];
  for (; i < a.size(); ++i)
    sums[0] += a[i] * b[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

Gmres::Gmres(std::size_t size, int restart, Apply apply, Sum sum)
    : restart_(static_cast<std::size_t>(restart)), apply_(std::move(apply)), sum_(std::move(sum)),
      basis_(restart_ + 1, Vector(size)), cosines_(restart_), sines_(restart_), correction_(size) {}

Gmres::Outcome Gmres::improve(std::span<double> x, std::span<double> residual,
                              const GmresLimits& limits) {
  const auto norm_of = [this](std::span<const double> vector) {
    double square = dot(vector, vector);
    sum_({&square, 1});
    return std::sqrt(square);
  };
  Outcome outcome{0, norm_of(residual)};
  const double enough = std::max(limits.residual, limits.relative_residual * outcome.residual);
  for (int done = 0; done < limits.cycles && outcome.residual > enough; ++done) {
    if (done > 0) { // what is left after the last correction, truly
      apply_(correction_, basis_[0]);
      add(-1.0, basis_[0], residual);
      outcome.residual = norm_of(residual);
      if (outcome.residual <= enough)
        break;
    }
    outcome.residual = cycle(residual, outcome.residual, enough);
    outcome.steps += static_cast<int>(steps_);
    add(1.0, correction_, x);
  }
  return outcome;
}

double Gmres::cycle(std::span<const double> residual, double norm, double enough) {
  std::ranges::transform(residual, basis_[0].begin(), [&](double r) { return r / norm; });
  columns_.clear();
  right_.assign(1, norm);
  steps_ = 0;
  bool goes_on = true;
  while (goes_on && steps_ < restart_ && std::abs(right_.back()) > enough) {
    goes_on = step();
    rotate_column();
    ++steps_;
  }
  std::ranges::fill(correction_, 0.0);
  const Vector shares = coefficients();
  for (std::size_t i = 0; i < shares.size(); ++i)
    add(shares[i], basis_[i], correction_);
  return std::abs(right_.back());
}

bool Gmres::step() {
  const std::span<double> next = basis_[steps_ + 1];
  apply_(basis_[steps_], next);
  const std::size_t known = steps_ + 1;
  Vector column(known + 1, 0.0);
  const auto project = [&](std::span<double> shares) {
    for (std::size_t i = 0; i < known; ++i)
      shares[i] = dot(basis_[i], next);
  };
  project(column);
  sum_(std::span(column).first(known));
  orthogonalise(next, std::span(column).first(known));

  Vector again(known + 1, 0.0); // the shares that rounding left, and the square of the vector
  project(again);
  again[known] = dot(next, next);
  sum_(again);
  orthogonalise(next, std::span(again).first(known));
  double square = again[known];
  for (std::size_t i = 0; i < known; ++i) {
    square -= again[i] * again[i];
    column[i] += again[i];
  }
  const double norm = std::sqrt(std::max(square, 0.0));
  const double whole = std::sqrt(dot(column, column) + norm * norm);
  const bool is_new = norm > nothing_new * whole;
  column[known] = is_new ? norm : 0.0;
  if (is_new)
    std::ranges::for_each(next, [&](double& value) { value /= norm; });
  columns_.push_back(std::move(column));
  return is_new;
}

void Gmres::orthogonalise(std::span<double> vector, std::span<const double> shares) const {
  for (std::size_t i = 0; i < shares.size(); ++i)
    add(-shares[i], basis_[i], vector);
}

void Gmres::rotate_column() {
  Vector& column = columns_.back();
  const auto turn = [](double& upper, double& lower, double cosine, double sine) {
    const double first = cosine * upper + sine * lower;
    lower = cosine * lower - sine * upper;
    upper = first;
  };
  for (std::size_t i = 0; i < steps_; ++i)
    turn(column[i], column[i + 1], cosines_[i], sines_[i]);
  const double length = std::hypot(column[steps_], column[steps_ + 1]);
  cosines_[steps_] = length > 0.0 ? column[steps_] / length : 1.0;
  sines_[steps_] = length > 0.0 ? column[steps_ + 1] / length : 0.0;
  turn(column[steps_], column[steps_ + 1], cosines_[steps_], sines_[steps_]);
  right_.push_back(0.0);
  turn(right_[steps_], right_[steps_ + 1], cosines_[steps_], sines_[steps_]);
}

Gmres::Vector Gmres::coefficients() const {
  Vector shares(steps_, 0.0);
  for (std::size_t i = steps_; i-- > 0;) {
    double rest = right_[i];
    for (std::size_t j = i + 1; j < steps_; ++j)
      rest -= columns_[j][i] * shares[j];
    shares[i] = columns_[i][i] != 0.0 ? rest / columns_[i][i] : 0.0; // 0: A is singular there
  }
  return shares;
}

} // namespace apps::multisplitting
