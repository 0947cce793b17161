#include "steer/prior.hpp"

#include "steer/power_model.hpp"
#include "steer/throughput_model.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace hypermile::steer {
namespace {

double squared(double value) { return value * value; }

/// One more program is assumed that deviates by so much in each way.
constexpr double assumed_deviation = 0.05;

/// A program in so many configurations, spread over all of them, that the algebra is quick.
constexpr std::size_t most_configurations = 64;

std::vector<std::size_t> some_of(const Space& space) {
  std::size_t stride = (space.size() + most_configurations - 1) / most_configurations;
  while (stride > 1 && space.node.gears.size() % stride == 0) // else always the same gears
    ++stride;
  std::vector<std::size_t> some;
  for (std::size_t index = 0; index < space.size(); index += stride)
    some.push_back(index);
  return some;
}

/// Log throughput of one program against perfect scaling, and what effects add to its covariance.
struct Deviations {
  Eigen::VectorXd log_ratio;
  std::array<Eigen::MatrixXd, effects> share;
};

Deviations deviations_of(const Table& table) {
  const ThroughputModel model(table.space);
  const std::vector<std::size_t> some = some_of(table.space);
  const auto count = static_cast<Eigen::Index>(some.size());
  Deviations all;
  all.log_ratio.resize(count);
  for (auto& matrix : all.share)
    matrix.resize(count, count);
  for (Eigen::Index row = 0; row < count; ++row) {
    const std::size_t a = some[static_cast<std::size_t>(row)];
    all.log_ratio(row) = std::log(table.performance[a].capacity.value()) - model.log_perfect(a);
    for (Eigen::Index column = 0; column < count; ++column) {
      const auto share = model.shares(a, some[static_cast<std::size_t>(column)]);
      for (std::size_t effect = 0; effect < effects; ++effect)
        all.share[effect](row, column) = share[effect];
    }
  }
  all.log_ratio.array() -= all.log_ratio.mean(); // the unit, which is anything
  return all;
}

/// Sum over programs of the gradients, split into what makes each variance larger and smaller.
struct Balance {
  ThroughputPrior larger;
  ThroughputPrior smaller;
};

void add(Balance& balance, const Deviations& program, const ThroughputPrior& prior) {
  const Eigen::Index size = program.log_ratio.size();
  Eigen::MatrixXd covariance = Eigen::MatrixXd::Zero(size, size);
  for (std::size_t effect = 0; effect < effects; ++effect)
    covariance += squared(prior[effect]) * program.share[effect];
  const Eigen::MatrixXd inverse = covariance.llt().solve(Eigen::MatrixXd::Identity(size, size));
  const Eigen::VectorXd weights = inverse * program.log_ratio;
  for (std::size_t effect = 0; effect < effects; ++effect) {
    balance.larger[effect] += weights.dot(program.share[effect] * weights);
    balance.smaller[effect] += inverse.cwiseProduct(program.share[effect]).sum();
  }
}

/// One step of the MM algorithm: never less probable than before.
ThroughputPrior more_probable(const ThroughputPrior& prior,
                              const std::vector<Deviations>& programs) {
  Balance balance{};
  for (std::size_t effect = 0; effect < effects; ++effect) {
    const double variance = squared(prior[effect]);
    balance.larger[effect] = squared(assumed_deviation / variance);
    balance.smaller[effect] = 1 / variance;
  }
  for (const Deviations& program : programs)
    add(balance, program, prior);
  ThroughputPrior next = prior;
  for (std::size_t effect = unit + 1; effect < effects; ++effect)
    next[effect] *= std::pow(balance.larger[effect] / balance.smaller[effect], 0.25);
  return next;
}

ThroughputPrior fit_throughput(const std::vector<Table>& tables) {
  constexpr int steps = 200;
  std::vector<Deviations> programs;
  std::ranges::transform(tables, std::back_inserter(programs), deviations_of);
  ThroughputPrior prior;
  prior.fill(assumed_deviation);
  prior[unit] = default_prior().throughput[unit];
  for (int step = 0; step < steps; ++step)
    prior = more_probable(prior, programs);
  return prior;
}

/// The terms of one program's power, and what its configurations deviate from them.
struct PowerFit {
  PowerPrior::Terms terms;
  double own;
};

/// Least squares of the relative errors, where the data say little near to the prior.
PowerFit fit_power(const Table& table) {
  constexpr double error = 0.01;
  const PowerPrior& before = default_prior().power;
  const std::size_t first = wide_and_slow(table.space);
  const Performance& seen = table.performance[first];
  Visits visits;
  visits.add(first, {.capacity = seen.capacity, .power = seen.power});
  const PowerModel model(table.space, visits,
                         ThroughputModel(table.space).per_core_and_hertz(visits));
  const auto count = static_cast<Eigen::Index>(table.space.size());
  Eigen::MatrixXd terms(count, PowerPrior::terms);
  for (std::size_t index = 0; index < table.space.size(); ++index) {
    const Performance& truth = table.performance[index];
    terms.row(static_cast<Eigen::Index>(index)) =
        model.terms_of({.configuration = index, .share = 1, .throughput = truth.capacity})
            .transpose() *
        (seen.power / truth.power);
  }
  const Eigen::VectorXd one = Eigen::VectorXd::Ones(count);
  const PowerPrior::Terms precision =
      squared(error) * before.deviation.array().square().inverse().matrix();
  Eigen::MatrixXd normal = terms.transpose() * terms;
  normal.diagonal() += precision;
  const Eigen::VectorXd right = terms.transpose() * one + precision.cwiseProduct(before.mean);
  PowerFit fit{.terms = normal.ldlt().solve(right), .own = 0};
  fit.own = (terms * fit.terms - one).norm() / std::sqrt(static_cast<double>(count));
  return fit;
}

} // namespace

const Prior& default_prior() {
  static const Prior prior{
      .throughput = {{10, 0.11, 0.087, 0.2, 0.03, 0.033, 0.08, 0.08, 0.05, 0.01, 0.015, 0.02}},
      .power = {.mean = PowerPrior::Terms{{0.6, 0.06, 0.5, 0.2, 0.015, 0}},
                .deviation = PowerPrior::Terms{{0.5, 0.1, 0.4, 0.4, 0.05, 0.15}},
                .own = 0.004}};
  return prior;
}

Prior fit_prior(const std::vector<Table>& tables) {
  Prior prior{.throughput = fit_throughput(tables), .power = default_prior().power};
  PowerPrior::Terms sum = PowerPrior::Terms::Zero();
  double squares = 0;
  for (const Table& table : tables) {
    const PowerFit fit = fit_power(table);
    sum += fit.terms;
    squares += squared(fit.own);
  }
  prior.power.mean = sum / static_cast<double>(tables.size());
  prior.power.own = std::sqrt(squares / static_cast<double>(tables.size()));
  return prior;
}

} // namespace hypermile::steer
