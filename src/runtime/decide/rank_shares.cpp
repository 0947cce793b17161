#include "runtime/decide/rank_shares.hpp"

#include "estimate/normal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hypermile::runtime {
namespace {

/// What is to be expected before anything was measured, as standard deviations of logarithms: of
/// node types, of ranks of a type, and of iterations of a rank. Each counts as much as so many
/// samples. Seen on twelve NAS-like programs: ranks 0.2 to 4 %, iterations 0.5 to 5 %.
constexpr double usual_of_types = 0.03;
constexpr double usual_of_ranks = 0.03;
constexpr double usual_noise = 0.025;
constexpr double usual_noise_of_one = 0.05; ///< where one iteration is all there is
constexpr double usual_counts = 2;

constexpr int rounds = 30;

using Row = std::vector<double>;

double square(double x) { return x * x; }

double median(Row values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 == 1)
    return *middle;
  return 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

/// How many times the noise so many figures rarely exceed, where none is unlike the others: normal
/// ones one in ten times, upwards.
double rarely_exceeded(std::size_t figures) {
  constexpr double rarely = 0.1;
  constexpr double normal = 1.25; // standard deviations of a normal distribution, as noise of t
  constexpr double least = 2.5;
  return std::max(
      least, normal * estimate::normal_quantile(
                          1 - rarely / static_cast<double>(std::max<std::size_t>(figures, 1))));
}

/// Expectation and maximisation for y = b + e: b of a rank is normal about m of its type, that is
/// normal about 0, and e is Student's t.
class Estimate {
public:
  Estimate(std::vector<Row> y, const std::vector<std::size_t>& type)
      : y_(std::move(y)), type_(type), types_(std::ranges::max(type) + 1), b_(y_.size()),
        variance_(y_.size()), of_type_(types_), type_variance_(types_),
        unlike_(rarely_exceeded(y_.size())) {
    start();
    for (int round = 0; round < rounds; ++round)
      improve();
  }

  [[nodiscard]] double share(std::size_t rank) const { return b_[rank]; }
  [[nodiscard]] double deviation(std::size_t rank) const {
    const double by_type = type_variance_[type_[rank]] * square(variance_[rank] / between_ranks_);
    return std::sqrt(variance_[rank] + by_type);
  }
  [[nodiscard]] double noise() const { return std::sqrt(noise_); }
  /// As far off as from the truth: b is nearer to the figures that it was told from.
  [[nodiscard]] Row leftovers() const {
    const auto count = static_cast<double>(y_.front().size());
    const double unbiased = one_only() ? 1 : std::sqrt(count / (count - 1));
    Row all;
    for (std::size_t r = 0; r < y_.size() && !one_only(); ++r)
      for (const double y : y_[r])
        all.push_back(unbiased * (y - b_[r]));
    return all;
  }
  /// By how much the latest figure is off, where noise hardly explains it.
  [[nodiscard]] double latest(std::size_t rank) const {
    constexpr double real = 0.1;
    const double off = y_[rank].back() - b_[rank];
    return !one_only() && std::abs(off) > std::max(unlike_ * noise(), real) ? off : 0;
  }

private:
  [[nodiscard]] bool one_only() const { return y_.front().size() == 1; }

  /// At the least of a rank's figures, as being late is commoner than being early; at the median
  /// from three on.
  void start() {
    Row differences;
    for (std::size_t r = 0; r < y_.size(); ++r) {
      const Row& row = y_[r];
      b_[r] = row.size() > 2 ? median(row)
                             : std::ranges::min(row, {}, [](double y) { return std::abs(y); });
      for (std::size_t i = 0; i < row.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
          differences.push_back(std::abs(row[i] - row[j]));
    }
    constexpr double to_deviation = 1.4826; // of a normal distribution, from its median deviation
    constexpr double least = 1e-6;
    noise_ = one_only() ? square(usual_noise_of_one)
                        : std::max(least, square(to_deviation * median(differences)) / 2);
  }

  void improve() {
    double squares = 0;
    for (std::size_t r = 0; r < y_.size(); ++r)
      squares += improve_rank(r);
    improve_types();
    double between = 0;
    for (std::size_t r = 0; r < y_.size(); ++r)
      between += square(b_[r] - of_type_[type_[r]]) + variance_[r] + type_variance_[type_[r]];
    const auto ranks = static_cast<double>(y_.size());
    between_ranks_ = (usual_counts * square(usual_of_ranks) + between) / (usual_counts + ranks);
    if (!one_only())
      noise_ = (usual_counts * square(usual_noise) + squares) /
               (usual_counts + ranks * static_cast<double>(y_.front().size()));
  }

  /// Returns the weighted squares of what is left over.
  double improve_rank(std::size_t r) {
    const double mean = of_type_[type_[r]];
    double precision = 1 / between_ranks_;
    double sum = mean / between_ranks_;
    for (const double y : y_[r]) {
      const double weight = one_only() ? 1 : weight_of(y - b_[r]);
      precision += weight / noise_;
      sum += weight * y / noise_;
    }
    b_[r] = sum / precision;
    variance_[r] = 1 / precision;
    double squares = 0;
    for (const double y : y_[r])
      squares += weight_of(y - b_[r]) * (square(y - b_[r]) + variance_[r]);
    return squares;
  }

  [[nodiscard]] double weight_of(double error) const {
    return (RankShares::freedom + 1) / (RankShares::freedom + square(error) / noise_);
  }

  void improve_types() {
    Row sums(types_, 0);
    Row counts(types_, 0);
    for (std::size_t r = 0; r < y_.size(); ++r) {
      sums[type_[r]] += b_[r];
      counts[type_[r]] += 1;
    }
    double between = 0;
    for (std::size_t t = 0; t < types_; ++t) {
      const double precision = 1 / between_types_ + counts[t] / between_ranks_;
      of_type_[t] = sums[t] / between_ranks_ / precision;
      type_variance_[t] = 1 / precision;
      between += square(of_type_[t]) + type_variance_[t];
    }
    between_types_ = (usual_counts * square(usual_of_types) + between) /
                     (usual_counts + static_cast<double>(types_));
  }

  std::vector<Row> y_;
  const std::vector<std::size_t>& type_;
  std::size_t types_;
  Row b_;
  Row variance_;
  Row of_type_;
  Row type_variance_;
  double between_types_ = square(usual_of_types);
  double between_ranks_ = square(usual_of_ranks);
  double noise_ = 0;
  double unlike_; ///< times the noise
};

/// What an iteration takes on a rank like most others: the first of several is not typical, and
/// the longer of two is more often late than the other early.
double typical(const Row& levels) {
  if (levels.size() == 2)
    return std::min(levels[0], levels[1]);
  return median({levels.begin() + (levels.size() > 2 ? 1 : 0), levels.end()});
}

Stretches stretches_of(const std::vector<Measurement>& measurements) {
  std::size_t count = std::numeric_limits<std::size_t>::max();
  for (const Measurement& m : measurements)
    count = std::min(count, m.computations.size());
  Stretches stretches = ranks_of(measurements);
  for (const Measurement& m : measurements) {
    Row& seconds = stretches.seconds.emplace_back();
    for (std::size_t i = m.computations.size() - count; i < m.computations.size(); ++i)
      seconds.push_back(m.computations[i].value());
  }
  return stretches;
}

/// What draws take for granted before anything was seen counts as so many leftovers.
constexpr double expected_counts = 32;

/// Of what happens once in a while, more says nothing of gears.
double limited(double off) {
  constexpr double most = 0.7;
  return std::clamp(off, -most, most);
}

} // namespace

std::optional<RankShares> estimate_shares(const Stretches& stretches) {
  const std::size_t ranks = stretches.seconds.size();
  const std::size_t count = ranks == 0 ? 0 : stretches.seconds.front().size();
  const auto computes = [](const Row& row) {
    return std::ranges::all_of(row, [](double seconds) { return seconds > 0; });
  };
  if (count == 0 || !std::ranges::all_of(stretches.seconds, computes))
    return std::nullopt;
  std::vector<Row> y(ranks, Row(count));
  Row levels;
  for (std::size_t i = 0; i < count; ++i) {
    Row work;
    for (std::size_t r = 0; r < ranks; ++r)
      work.push_back(std::log(stretches.seconds[r][i] * stretches.speed[r]));
    levels.push_back(median(work));
    for (std::size_t r = 0; r < ranks; ++r)
      y[r][i] = work[r] - levels.back();
  }
  const Estimate estimate(std::move(y), stretches.type);
  RankShares shares;
  for (std::size_t r = 0; r < ranks; ++r) {
    shares.computation.push_back(std::exp(typical(levels) + estimate.share(r)) /
                                 stretches.speed[r]);
    shares.deviation.push_back(estimate.deviation(r));
    shares.latest.push_back(estimate.latest(r));
  }
  shares.noise = estimate.noise();
  shares.leftovers = estimate.leftovers();
  return shares;
}

RankShares::Deviation RankShares::draw(std::mt19937& engine) const {
  constexpr double unexplained = 3; // times the noise
  const auto seen = static_cast<double>(leftovers.size());
  std::uniform_real_distribution<double> any(0, seen + expected_counts);
  std::student_t_distribution<double> as_usual(freedom);
  const double chosen = any(engine);
  if (chosen >= seen)
    return {.off = limited(noise * as_usual(engine))};
  const double off = leftovers[static_cast<std::size_t>(chosen)];
  return {.off = limited(off), .late = off > unexplained * noise};
}

double RankShares::variance() const {
  double sum = expected_counts * square(noise) * freedom / (freedom - 2);
  for (const double off : leftovers)
    sum += square(limited(off));
  return sum / (expected_counts + static_cast<double>(leftovers.size()));
}

std::optional<RankShares> estimate_shares(const std::vector<Measurement>& measurements) {
  return estimate_shares(stretches_of(measurements));
}

} // namespace hypermile::runtime
