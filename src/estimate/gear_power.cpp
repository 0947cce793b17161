#include "estimate/gear_power.hpp"

#include "estimate/student_t.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace hypermile::estimate {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Standard deviations of the parts of the prior, relative to computing power in gear 0.
struct Widths {
  double table;             ///< of all of the table, relative to it
  double constant;          ///< the same for computing and waiting, in all gears
  double waiting;           ///< of waiting alone, in all gears
  double linear;            ///< of what falls as 1/S
  double cubic;             ///< of what falls as 1/S^3
  double smooth;            ///< of what is alike in gears of like speed
  double of_one_gear;       ///< of each gear
  double smooth_over = 0.3; ///< in ln S
};

constexpr Widths of_table{.table = 0.2,
                          .constant = 0.05,
                          .waiting = 0.05,
                          .linear = 0.05,
                          .cubic = 0.1,
                          .smooth = 0.02,
                          .of_one_gear = 0.003};
constexpr Widths of_assumption{.table = 0.3,
                               .constant = 0.25,
                               .waiting = 0.25,
                               .linear = 0.15,
                               .cubic = 0.3,
                               .smooth = 0.03,
                               .of_one_gear = 0.003};

/// Of the power of one second, before anything is known of it, and for how many intervals that
/// stands.
constexpr double usual_noise = 0.03;
constexpr double noise_known = 2;
constexpr int rounds = 20;
/// A table is not known to be wrong by more than this many times its standard deviations.
constexpr double most_inflation = 100;

/// A prior of all powers: computing by gear, then waiting by gear.
struct Normal {
  VectorXd mean;
  MatrixXd covariance;
};

Normal normal_of(const PowerPrior& prior, double level) {
  const auto gears = static_cast<Eigen::Index>(prior.scales.size());
  const Widths& widths = prior.assumed ? of_assumption : of_table;
  Normal normal{VectorXd(2 * gears), {}};
  MatrixXd parts = MatrixXd::Zero(2 * gears, 7);
  const double unit = level * prior.computing[0].value();
  for (Eigen::Index g = 0; g < gears; ++g) {
    const auto gear = static_cast<std::size_t>(g);
    const double s = prior.scales[gear];
    const double cube = 1 / (s * s * s);
    normal.mean(g) = level * prior.computing[gear].value();
    normal.mean(gears + g) = level * prior.waiting[gear].value();
    parts.row(g) << widths.table * normal.mean(g), unit * widths.constant, 0,
        unit * widths.linear / s, unit * widths.cubic * cube, 0, 0;
    parts.row(gears + g) << widths.table * normal.mean(gears + g), unit * widths.constant,
        unit * widths.waiting, 0, 0, unit * widths.linear / s, unit * widths.cubic * cube;
  }
  normal.covariance = parts * parts.transpose();
  for (Eigen::Index g = 0; g < gears; ++g)
    for (Eigen::Index h = 0; h < gears; ++h) {
      const double apart = std::log(prior.scales[static_cast<std::size_t>(g)] /
                                    prior.scales[static_cast<std::size_t>(h)]) /
                           widths.smooth_over;
      const double alike = widths.smooth * widths.smooth * std::exp(-apart * apart / 2) +
                           (g == h ? widths.of_one_gear * widths.of_one_gear : 0);
      normal.covariance(g, h) += unit * unit * alike;
      normal.covariance(gears + g, gears + h) += unit * unit * alike;
    }
  return normal;
}

NodeSums sum_of(std::span<const NodeSums> nodes, std::span<const double> ratios) {
  NodeSums all;
  for (std::size_t n = 0; n < nodes.size(); ++n)
    for (const auto& [gear, sums] : nodes[n]) {
      GearSums scaled = sums; // as a node that draws what the others do
      scaled.cp /= ratios[n];
      scaled.wp /= ratios[n];
      scaled.pp /= ratios[n] * ratios[n];
      all[gear] += scaled;
    }
  return all;
}

/// What to multiply an assumption with. Intervals in which nodes computed tell more of it.
double level_of(const PowerPrior& prior, const NodeSums& all) {
  double measured = 0;
  double assumed = 0;
  for (const auto& [gear, sums] : all) {
    measured += sums.cp + 1e-3 * sums.wp;
    assumed += prior.computing[gear].value() * (sums.cc + 1e-3 * sums.cw) +
               prior.waiting[gear].value() * (sums.cw + 1e-3 * sums.ww);
  }
  return prior.assumed && measured > 0 && assumed > 0 ? measured / assumed : 1;
}

/// The regression in those gears that some node was in.
class Regression {
public:
  Regression(const Normal& prior, const NodeSums& all) : prior_(prior) {
    for (const auto& [gear, sums] : all) {
      visited_.push_back(static_cast<Eigen::Index>(gear));
      const double power = (sums.cp + sums.wp) / sums.seconds;
      weights_.push_back(power > 0 ? 1 / (power * power) : 0);
      count_ += sums.count;
    }
    const auto gears = static_cast<Eigen::Index>(visited_.size());
    const Eigen::Index all_gears = prior.mean.size() / 2;
    factor_ = MatrixXd::Zero(2 * gears, 2 * gears);
    columns_.resize(2 * all_gears, 2 * gears);
    mean_.resize(2 * gears);
    for (Eigen::Index v = 0; v < gears; ++v) {
      const Eigen::Index g = visited_[static_cast<std::size_t>(v)];
      columns_.col(2 * v) = prior.covariance.col(g);
      columns_.col(2 * v + 1) = prior.covariance.col(all_gears + g);
      mean_(2 * v) = prior.mean(g);
      mean_(2 * v + 1) = prior.mean(all_gears + g);
    }
    covariance_.resize(2 * gears, 2 * gears);
    for (Eigen::Index v = 0; v < gears; ++v) {
      const Eigen::Index g = visited_[static_cast<std::size_t>(v)];
      covariance_.row(2 * v) = columns_.row(g);
      covariance_.row(2 * v + 1) = columns_.row(all_gears + g);
    }
    factorise(all);
    inner_ = factor_.transpose() * covariance_ * factor_;
  }

  /// With the present noise and inflation.
  void condition(const NodeSums& all) {
    VectorXd residual(mean_.size());
    const VectorXd expected = factor_ * (factor_.transpose() * mean_);
    Eigen::Index v = 0;
    for (const auto& [gear, sums] : all) {
      const double weight = weights_[static_cast<std::size_t>(v)];
      residual(2 * v) = weight * sums.cp - expected(2 * v);
      residual(2 * v + 1) = weight * sums.wp - expected(2 * v + 1);
      ++v;
    }
    residual /= variance_;
    const MatrixXd b =
        MatrixXd::Identity(inner_.rows(), inner_.cols()) + (inflation_ / variance_) * inner_;
    solver_.compute(b);
    const VectorXd through =
        factor_ * solver_.solve(factor_.transpose() * (covariance_ * residual));
    step_ = residual - (inflation_ / variance_) * through;
    fitted_ = mean_ + inflation_ * (covariance_ * step_);
    const MatrixXd inverse = solver_.solve(MatrixXd::Identity(b.rows(), b.cols()));
    determined_ = std::max(static_cast<double>(b.rows()) - inverse.trace(), 0.0);
  }

  void estimate_noise(const NodeSums& all) {
    double squares = 0;
    Eigen::Index v = 0;
    for (const auto& [gear, sums] : all) {
      const double c = fitted_(2 * v);
      const double w = fitted_(2 * v + 1);
      const double of_gear = sums.pp - 2 * (c * sums.cp + w * sums.wp) + c * c * sums.cc +
                             2 * c * w * sums.cw + w * w * sums.ww;
      squares += weights_[static_cast<std::size_t>(v)] * std::max(of_gear, 0.0);
      ++v;
    }
    variance_ = (squares + noise_known * usual_noise * usual_noise) / freedom();
  }

  /// How far the prior is off, where that is more than it says: MacKay's fixed point.
  void estimate_inflation() {
    const double distance = inflation_ * step_.dot(covariance_ * step_);
    if (determined_ > 0)
      inflation_ = std::clamp(inflation_ * distance / determined_, 1.0, most_inflation);
  }

  [[nodiscard]] double freedom() const { return std::max(count_ - determined_, 0.0) + noise_known; }
  [[nodiscard]] double variance() const { return variance_; }
  [[nodiscard]] std::vector<double> unlikeness(std::span<const NodeSums> nodes) const;

  /// Mean and standard deviation of the power at this place of the prior.
  [[nodiscard]] std::pair<double, double> at(Eigen::Index i) const {
    const Eigen::RowVectorXd row = columns_.row(i);
    const VectorXd known = factor_.transpose() * row.transpose();
    const double less = inflation_ * inflation_ / variance_ * known.dot(solver_.solve(known));
    const double variance = inflation_ * prior_.covariance(i, i) - less;
    return {prior_.mean(i) + inflation_ * row.dot(step_), std::sqrt(std::max(variance, 0.0))};
  }

private:
  /// The information of the data is this times its transpose, by the variance.
  void factorise(const NodeSums& all) {
    Eigen::Index v = 0;
    for (const auto& [gear, sums] : all) {
      const double weight = weights_[static_cast<std::size_t>(v)];
      const double a = std::sqrt(std::max(weight * sums.cc, 0.0));
      const double below = a > 0 ? weight * sums.cw / a : 0;
      factor_(2 * v, 2 * v) = a;
      factor_(2 * v + 1, 2 * v) = below;
      factor_(2 * v + 1, 2 * v + 1) = std::sqrt(std::max(weight * sums.ww - below * below, 0.0));
      ++v;
    }
  }

  const Normal& prior_;
  std::vector<Eigen::Index> visited_; ///< gears
  std::vector<double> weights_;       ///< by these: noise is relative to power
  double count_ = 0;
  MatrixXd factor_;
  MatrixXd columns_; ///< of the prior's covariance
  MatrixXd covariance_;
  MatrixXd inner_;
  VectorXd mean_;
  double variance_ = usual_noise * usual_noise;
  double inflation_ = 1;
  Eigen::LLT<MatrixXd> solver_;
  VectorXd step_;
  VectorXd fitted_;
  double determined_ = 0; ///< so many parameters by the data
};

/// By node: what it drew, relative to what the fit makes of it, as far as that is more than noise.
std::vector<double> Regression::unlikeness(std::span<const NodeSums> nodes) const {
  std::vector<double> ratios;
  std::vector<double> variances;
  for (const NodeSums& node : nodes) {
    double measured = 0;
    double expected = 0;
    for (std::size_t v = 0; v < visited_.size(); ++v) {
      const auto found = node.find(static_cast<std::size_t>(visited_[v]));
      if (found == node.end())
        continue;
      const GearSums& sums = found->second;
      const auto at = 2 * static_cast<Eigen::Index>(v);
      const double c = fitted_(at);
      const double w = fitted_(at + 1);
      measured += weights_[v] * (c * sums.cp + w * sums.wp);
      expected += weights_[v] * (c * c * sums.cc + 2 * c * w * sums.cw + w * w * sums.ww);
    }
    ratios.push_back(expected > 0 ? measured / expected : 1);
    variances.push_back(expected > 0 ? variance_ / expected
                                     : std::numeric_limits<double>::infinity());
  }
  double scatter = 0;
  double known = 0;
  for (std::size_t n = 0; n < ratios.size(); ++n)
    if (std::isfinite(variances[n])) {
      scatter += (ratios[n] - 1) * (ratios[n] - 1) - variances[n];
      ++known;
    }
  scatter = known > 1 ? std::max(scatter / (known - 1), 0.0) : 0;
  double sum = 0;
  for (std::size_t n = 0; n < ratios.size(); ++n) {
    ratios[n] = 1 + (ratios[n] - 1) * (scatter > 0 ? scatter / (scatter + variances[n]) : 0);
    sum += ratios[n];
  }
  for (double& ratio : ratios)
    ratio = std::max(ratio * static_cast<double>(ratios.size()) / sum, 1e-3);
  return ratios;
}

/// Values that do not rise from one of these gears to the next, nearest to what they were by their
/// intervals: the pool of adjacent violators, for which see R. E. Barlow and others, "Statistical
/// inference under order restrictions", 1972.
void make_fall(std::vector<Estimate>& gears, std::span<const std::size_t> which) {
  struct Pool {
    double sum;
    double weight;
    std::size_t count;
    [[nodiscard]] double mean() const { return sum / weight; }
  };
  std::vector<Pool> pools;
  for (const std::size_t g : which) {
    const double deviation = std::max(gears[g].high - gears[g].low, 1e-9);
    const double weight = 1 / (deviation * deviation);
    pools.push_back({weight * std::max(gears[g].value, 0.0), weight, 1});
    while (pools.size() > 1 && pools[pools.size() - 2].mean() < pools.back().mean()) {
      const Pool last = pools.back();
      pools.pop_back();
      pools.back() = {pools.back().sum + last.sum, pools.back().weight + last.weight,
                      pools.back().count + last.count};
    }
  }
  auto gear = which.begin();
  for (const Pool& pool : pools)
    for (std::size_t i = 0; i < pool.count; ++i)
      gears[*gear++].value = pool.mean();
}

} // namespace

void GearSums::add(Seconds interval, Seconds computing, Joules energy) {
  const double t = interval.value();
  const double c = std::clamp(computing / interval, 0.0, 1.0);
  const double w = 1 - c;
  const double p = energy.value() / t;
  *this += {.count = 1,
            .seconds = t,
            .cc = t * c * c,
            .cw = t * c * w,
            .ww = t * w * w,
            .cp = t * c * p,
            .wp = t * w * p,
            .pp = t * p * p};
}

GearSums& GearSums::operator+=(const GearSums& other) {
  count += other.count;
  seconds += other.seconds;
  cc += other.cc;
  cw += other.cw;
  ww += other.ww;
  cp += other.cp;
  wp += other.wp;
  pp += other.pp;
  return *this;
}

GearSums GearSums::times(double factor) const {
  return {.count = count * factor,
          .seconds = seconds * factor,
          .cc = cc * factor,
          .cw = cw * factor,
          .ww = ww * factor,
          .cp = cp * factor,
          .wp = wp * factor,
          .pp = pp * factor};
}

void put_in_order(PowerFit& fit, const std::vector<bool>& left_out) {
  std::vector<std::size_t> which;
  for (std::size_t g = 0; g < left_out.size(); ++g)
    if (!left_out[g])
      which.push_back(g);
  fit.computing = fit.computing_as_seen;
  fit.waiting = fit.waiting_as_seen;
  make_fall(fit.computing, which);
  make_fall(fit.waiting, which);
  for (std::size_t g = 0; g < fit.computing.size(); ++g) {
    fit.computing[g].value = std::max(fit.computing[g].value, 0.0);
    fit.waiting[g].value = std::clamp(fit.waiting[g].value, 0.0, fit.computing[g].value);
  }
  for (auto* const all : {&fit.computing, &fit.waiting})
    for (Estimate& estimate : *all) {
      estimate.low = std::min(std::max(estimate.low, 0.0), estimate.value);
      estimate.high = std::max(estimate.high, estimate.value);
    }
}

PowerFit fit_power(const PowerPrior& prior, std::span<const NodeSums> nodes) {
  std::vector<double> ratios(nodes.size(), 1);
  NodeSums all = sum_of(nodes, ratios);
  const Normal normal = normal_of(prior, level_of(prior, all));
  Regression regression(normal, all);
  for (int round = 0; round < rounds; ++round) {
    regression.condition(all);
    regression.estimate_noise(all);
    regression.estimate_inflation();
    // What can be explained by nodes that are alike is explained so.
    if (round >= rounds / 2) {
      ratios = regression.unlikeness(nodes);
      all = sum_of(nodes, ratios);
    }
  }
  regression.condition(all);
  const double width = student_t_within(0.95, regression.freedom());
  PowerFit fit{.noise = std::sqrt(regression.variance()), .node_ratio = std::move(ratios)};
  for (Eigen::Index i = 0; i < normal.mean.size(); ++i) {
    const auto [mean, deviation] = regression.at(i);
    auto& kind = i < normal.mean.size() / 2 ? fit.computing_as_seen : fit.waiting_as_seen;
    kind.push_back(
        {.value = mean, .low = mean - width * deviation, .high = mean + width * deviation});
  }
  put_in_order(fit, std::vector<bool>(prior.scales.size(), false));
  return fit;
}

} // namespace hypermile::estimate
