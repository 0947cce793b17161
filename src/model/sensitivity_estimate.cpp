#include "model/sensitivity_estimate.hpp"

#include "model/sensitivity.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <utility>

namespace hypermile::model {
namespace {

/// The values of b that are looked at, from 0 to 1.
constexpr Eigen::Index steps = 100;
using Grid = Eigen::Array<double, steps + 1, 1>;

double value_of(Eigen::Index i) { return static_cast<double>(i) / static_cast<double>(steps); }

/// Half of it is at 1.
Grid prior() {
  Grid p = Grid::Constant(0.5 / static_cast<double>(steps));
  p(steps) = 0.5;
  return p;
}

/// `likelihoods`: but for a factor.
Grid posterior(const Grid& likelihoods) {
  const Grid p = prior() * likelihoods;
  return p / p.sum();
}

/// The least value that so much of the probability does not exceed.
double quantile(const Grid& p, double probability) {
  double sum = 0;
  for (Eigen::Index i = 0; i < p.size(); ++i) {
    if (sum + p(i) >= probability) // evenly between this value and the one before
      return i == 0 || i == steps
                 ? value_of(i)
                 : value_of(i) - (1 - (probability - sum) / p(i)) / static_cast<double>(steps);
    sum += p(i);
  }
  return 1;
}

SensitivityEstimate summary(const Grid& p) {
  constexpr double outside = 0.025;
  constexpr double careful = 0.9;
  constexpr double may_be_full = 0.05;
  SensitivityEstimate estimate;
  estimate.mean = (p * Grid::LinSpaced(0, 1)).sum();
  estimate.low = quantile(p, outside);
  estimate.high = quantile(p, 1 - outside);
  estimate.careful = quantile(p, careful);
  estimate.known = p(steps) < may_be_full;
  return estimate;
}

/// Variance of the logarithm of one iteration about its level, of all ranks together: as if there
/// had been a few iterations of usual noise before. Visits of single iterations tell it, too, where
/// a rank was in the same gear before.
double noise_of(std::span<const std::vector<GearVisit>> visits) {
  constexpr double usual = 0.03;
  constexpr double weight = 4; // iterations
  double freedom = weight;
  double squares = weight * usual * usual;
  for (const auto& of_rank : visits) {
    std::map<double, GearVisit> by_gear;
    for (const GearVisit& visit : of_rank) {
      squares += visit.squares;
      freedom += static_cast<double>(visit.iterations - 1);
      const auto [before, is_first] = by_gear.try_emplace(visit.scale, visit);
      if (is_first)
        continue;
      const auto now = static_cast<double>(visit.iterations);
      const auto then = static_cast<double>(before->second.iterations);
      const double change = visit.log_mean - before->second.log_mean;
      squares += change * change * now * then / (now + then);
      freedom += 1;
      before->second = visit;
    }
  }
  return squares / (freedom - 2); // Student's t is wider than the normal
}

/// A visit as the regression sees it.
struct Point {
  Eigen::Index rank;
  Eigen::Index period; ///< counted without gaps
  std::size_t gear;    ///< index of its scale
  double log_mean;
  double moment;
  double weight; ///< 1 over its variance, without what ranks have in common
};

struct Points {
  std::vector<Point> all{}; ///< rank by rank, each rank's in the order of time
  Eigen::Index ranks = 0;
  Eigen::Index periods = 0;
  std::vector<double> scales{};
};

/// What an iteration of a visit would take in gear 0, with any b: logarithms.
struct Range {
  double from;
  double to;
};

/// With what noise may make of it, of which `noise` is the variance of one iteration.
Range range_of(const GearVisit& visit, double noise) {
  constexpr double least = 0.05;
  constexpr double deviations = 2;
  const double tolerance =
      std::max(least, deviations * std::sqrt(noise / static_cast<double>(visit.iterations)));
  return {visit.log_mean - std::log(visit.scale) - tolerance, visit.log_mean + tolerance};
}

/// Of a rank's visits those that agree with the one that most iterations agree with; the later one
/// of two. No b makes others iterations of the same work: the first ones may have had something to
/// prepare, or be parts of iterations.
std::vector<GearVisit> consistent(const std::vector<GearVisit>& of_rank, double noise) {
  std::vector<Range> ranges;
  for (const GearVisit& visit : of_rank)
    ranges.push_back(range_of(visit, noise));
  const auto agree = [&](std::size_t a, std::size_t b) {
    return ranges[a].from <= ranges[b].to && ranges[b].from <= ranges[a].to;
  };
  std::size_t best = 0;
  std::pair<std::size_t, double> most;
  for (std::size_t v = 0; v < of_rank.size(); ++v) {
    std::pair<std::size_t, double> agreeing{0, of_rank[v].moment};
    for (std::size_t other = 0; other < of_rank.size(); ++other)
      agreeing.first += agree(v, other) ? of_rank[other].iterations : 0;
    if (v == 0 || agreeing >= most) {
      best = v;
      most = agreeing;
    }
  }
  std::vector<GearVisit> agreed;
  for (std::size_t v = 0; v < of_rank.size(); ++v)
    if (agree(best, v))
      agreed.push_back(of_rank[v]);
  return agreed;
}

Points points_of(std::span<const std::vector<GearVisit>> visits, const LevelNoise& level) {
  const double noise = noise_of(visits);
  std::map<std::size_t, Eigen::Index> periods;
  std::map<double, std::size_t> gears;
  Points points{.ranks = static_cast<Eigen::Index>(visits.size())};
  for (std::size_t r = 0; r < visits.size(); ++r)
    for (const GearVisit& visit : consistent(visits[r], noise)) {
      const auto next = static_cast<Eigen::Index>(periods.size());
      const auto gear = gears.try_emplace(visit.scale, gears.size());
      if (gear.second)
        points.scales.push_back(visit.scale);
      points.all.push_back(
          {.rank = static_cast<Eigen::Index>(r),
           .period = periods.try_emplace(visit.period, next).first->second,
           .gear = gear.first->second,
           .log_mean = visit.log_mean,
           .moment = visit.moment,
           .weight = 1 / (noise / static_cast<double>(visit.iterations) + level.own * level.own)});
    }
  std::ranges::stable_sort(points.all, {},
                           [](const Point& point) { return std::pair(point.rank, point.moment); });
  points.periods = static_cast<Eigen::Index>(periods.size());
  return points;
}

/// By gear, and value of b: the logarithm of how many times as long as in gear 0 computation takes.
using LogStretches = std::vector<Grid>;

LogStretches log_stretches(const std::vector<double>& scales) {
  LogStretches logs;
  for (const double scale : scales)
    logs.emplace_back(
        Grid::LinSpaced(0, 1).unaryExpr([scale](double b) { return stretch(scale, b); }).log());
  return logs;
}

/// When periods were, by period.
std::vector<double> moments_of(const Points& points) {
  std::vector<double> sums(static_cast<std::size_t>(points.periods));
  std::vector<double> counts(sums.size());
  for (const Point& point : points.all) {
    sums[static_cast<std::size_t>(point.period)] += point.moment;
    counts[static_cast<std::size_t>(point.period)] += 1;
  }
  for (std::size_t p = 0; p < sums.size(); ++p)
    sums[p] /= counts[p];
  return sums;
}

/// Of what ranks have in common in each period: each differs from any other, and those from each
/// other by what drifted on the way.
Eigen::MatrixXd covariance_of(const Points& points, const LevelNoise& level) {
  const std::vector<double> moments = moments_of(points);
  std::vector<Eigen::Index> order(moments.size());
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  const auto moment = [&](Eigen::Index p) { return moments[static_cast<std::size_t>(p)]; };
  std::ranges::sort(order, {}, moment);
  Eigen::MatrixXd covariance = Eigen::MatrixXd::Zero(points.periods, points.periods);
  double drifted = 0; // variance since the first of them
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double passed = i == 0 ? 0 : moment(order[i]) - moment(order[i - 1]);
    drifted += level.drift * passed * level.drift * passed;
    covariance(order[i], order[i]) = drifted + level.common * level.common;
    for (std::size_t later = i + 1; later < order.size(); ++later)
      covariance(order[i], order[later]) = covariance(order[later], order[i]) = drifted;
  }
  return covariance;
}

/// Ranks that all have the same b, each with a level of its own, and for each period a level that
/// they have in common: what is left of the points, in all.
class Together {
public:
  /// `of_levels`: the inverse of their covariance.
  Together(const Points& points, const Eigen::MatrixXd& of_levels)
      : points_(points), of_rank_(Eigen::VectorXd::Zero(points.ranks)) {
    Eigen::MatrixXd weights = Eigen::MatrixXd::Zero(points.ranks, points.periods);
    for (const Point& point : points.all)
      weights(point.rank, point.period) += point.weight;
    of_rank_ = weights.rowwise().sum();
    Eigen::MatrixXd matrix = of_levels;
    matrix.diagonal() += weights.colwise().sum().transpose();
    for (Eigen::Index r = 0; r < points.ranks; ++r)
      if (of_rank_(r) > 0)
        matrix -= weights.row(r).transpose() * weights.row(r) / of_rank_(r);
    of_periods_.compute(matrix);
  }

  /// What is left of the points with any b. Least squares, with the levels that fit best.
  [[nodiscard]] Grid deviances(const LogStretches& logs) const {
    // Linear in the logarithms by gear, so that its squares are known of all b once they are of
    // these.
    const auto gears = static_cast<Eigen::Index>(logs.size());
    const Eigen::MatrixXd squares = squares_of(gears);
    Grid deviances = Grid::Constant(squares(0, 0));
    for (Eigen::Index g = 0; g < gears; ++g) {
      Grid sum = Grid::Constant(-2 * squares(0, 1 + g));
      for (Eigen::Index other = 0; other < gears; ++other)
        sum += squares(1 + g, 1 + other) * logs[static_cast<std::size_t>(other)];
      deviances += sum * logs[static_cast<std::size_t>(g)];
    }
    return deviances;
  }
  /// Points less the levels of the ranks that have some.
  [[nodiscard]] std::size_t freedom() const {
    return points_.all.size() - static_cast<std::size_t>((of_rank_.array() > 0).count());
  }

private:
  /// Products of what the levels leave of the times, and of 1 in each gear.
  [[nodiscard]] Eigen::MatrixXd squares_of(Eigen::Index gears) const {
    const auto count = static_cast<Eigen::Index>(points_.all.size());
    Eigen::MatrixXd left = Eigen::MatrixXd::Zero(count, 1 + gears);
    Eigen::VectorXd weights(count);
    Eigen::MatrixXd means = Eigen::MatrixXd::Zero(points_.ranks, 1 + gears);
    for (Eigen::Index p = 0; p < count; ++p) {
      const Point& point = points_.all[static_cast<std::size_t>(p)];
      weights(p) = point.weight;
      left(p, 0) = point.log_mean;
      left(p, 1 + static_cast<Eigen::Index>(point.gear)) = 1;
      means.row(point.rank) += point.weight * left.row(p);
    }
    for (Eigen::Index r = 0; r < points_.ranks; ++r)
      if (of_rank_(r) > 0)
        means.row(r) /= of_rank_(r);
    Eigen::MatrixXd of_period = Eigen::MatrixXd::Zero(points_.periods, 1 + gears);
    for (Eigen::Index p = 0; p < count; ++p) {
      const Point& point = points_.all[static_cast<std::size_t>(p)];
      left.row(p) -= means.row(point.rank);
      of_period.row(point.period) += point.weight * left.row(p);
    }
    return left.transpose() * weights.asDiagonal() * left -
           of_period.transpose() * of_periods_.solve(of_period);
  }

  const Points& points_;
  Eigen::VectorXd of_rank_; ///< sums of weights
  Eigen::LDLT<Eigen::MatrixXd> of_periods_;
};

/// Likelihoods that hold where visits differ by more than they are taken to: by how much is as
/// little known as from a few of them (a multivariate t in place of a normal distribution). 1 for
/// the best. `freedom`: how many visits there are, less the levels.
Grid likelihoods_of(const Grid& deviances, std::size_t freedom) {
  constexpr double known = 8;
  const double least = deviances.minCoeff();
  return (-0.5 * (known + static_cast<double>(freedom)) *
          ((known + deviances) / (known + least)).log())
      .exp();
}

/// The same of a rank by itself: each point against what those before it make expect of it, which
/// is known the worse the longer ago they were.
Grid likelihoods_alone(std::span<const Point> of_rank, const LogStretches& logs,
                       const LevelNoise& level) {
  Grid levels = Grid::Zero();
  Grid deviances = Grid::Zero();
  double variance = 0; // of the level
  for (std::size_t p = 0; p < of_rank.size(); ++p) {
    const Point& point = of_rank[p];
    const double of_point = 1 / point.weight + level.common * level.common;
    const double drifted = p == 0 ? 0 : level.drift * (point.moment - of_rank[p - 1].moment);
    variance += drifted * drifted;
    const double gain = p == 0 ? 1 : variance / (variance + of_point);
    const Grid left = point.log_mean - logs[point.gear] - levels;
    if (p > 0)
      deviances += left.square() / (variance + of_point);
    levels += gain * left;
    variance = p == 0 ? of_point : (1 - gain) * variance;
  }
  return likelihoods_of(deviances, of_rank.empty() ? 0 : of_rank.size() - 1);
}

/// How likely the rank's visits are with what all ranks have in common, against any b.
/// `alike`: the same before they are known.
double probability_of_alike(const Grid& shared, const Grid& likelihoods, double alike) {
  const double with_shared = alike * (shared * likelihoods).sum();
  const double with_any = (1 - alike) * (prior() * likelihoods).sum();
  return with_shared / (with_shared + with_any);
}

/// Of any rank, as those that there are tell: as if one of many had not been.
double share_of_alike(const std::vector<double>& alike) {
  constexpr double other = 1;
  constexpr double before = 40;
  const double sum = std::accumulate(alike.begin(), alike.end(), 0.0);
  return (before - other + sum) / (before + static_cast<double>(alike.size()));
}

} // namespace

void GearVisit::add(double log_time, double at) {
  ++iterations;
  const double before = log_time - log_mean;
  log_mean += before / static_cast<double>(iterations);
  squares += before * (log_time - log_mean);
  moment += (at - moment) / static_cast<double>(iterations);
}

namespace {

/// What all ranks that are alike have in common. `alike`: by rank, how likely it is one of them.
Grid shared_posterior(Points points, const std::vector<double>& alike, const LogStretches& logs,
                      const Eigen::MatrixXd& of_levels) {
  for (Point& point : points.all)
    point.weight *= alike[static_cast<std::size_t>(point.rank)];
  const Together together(points, of_levels);
  return posterior(likelihoods_of(together.deviances(logs), together.freedom()));
}

} // namespace

std::vector<SensitivityEstimate>
estimate_sensitivity(std::span<const std::vector<GearVisit>> visits, const LevelNoise& level) {
  constexpr int rounds = 3; // in which ranks that are not alike lose their say
  const Points points = points_of(visits, level);
  if (points.scales.size() < 2)
    return std::vector<SensitivityEstimate>(visits.size());
  const LogStretches logs = log_stretches(points.scales);
  std::vector<Grid> own;
  std::span<const Point> left(points.all);
  for (std::size_t r = 0; r < visits.size(); ++r) {
    const auto is_other = [r](const Point& point) {
      return point.rank != static_cast<Eigen::Index>(r);
    };
    const auto end = std::ranges::find_if(left, is_other);
    const auto count = static_cast<std::size_t>(end - left.begin());
    own.push_back(likelihoods_alone(left.first(count), logs, level));
    left = left.subspan(count);
  }
  const Eigen::MatrixXd of_levels = covariance_of(points, level).inverse();
  std::vector<double> alike(visits.size(), 1);
  Grid shared;
  for (int round = 0; round < rounds; ++round) {
    shared = shared_posterior(points, alike, logs, of_levels);
    const double share = share_of_alike(alike);
    for (std::size_t r = 0; r < visits.size() && visits.size() > 1; ++r)
      alike[r] = visits[r].empty() ? 1 : probability_of_alike(shared, own[r], share);
  }
  std::vector<SensitivityEstimate> estimates;
  for (std::size_t r = 0; r < visits.size(); ++r)
    estimates.push_back(summary(alike[r] * shared + (1 - alike[r]) * posterior(own[r])));
  return estimates;
}

} // namespace hypermile::model
