#include "runtime/loop/fit_watch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>

namespace hypermile::runtime {
namespace {

/// An iteration that takes so many times the usual length is not one of them.
constexpr double late_factor = 1.5;
constexpr double length_gain = 0.2;

/// By how much the shares of so many iterations in a row may differ from what gears were chosen
/// for, all of them above it or all below; and their mean, in standard errors. One may be an odd
/// one.
struct Tolerance {
  std::size_t iterations;
  double change;
  double errors;
};
constexpr std::array tolerances{Tolerance{2, 0.2, 4}, Tolerance{4, 0.12, 3.5}};
constexpr std::size_t most_recent_shares = 4;

/// Of iterations of which too few are known to tell how much they vary.
constexpr double usual_share_deviation = 0.05;
constexpr double least_share_deviation = 0.02;
constexpr double known_well = 4;

} // namespace

void FitWatch::begin(Seconds now, Seconds length, const std::vector<double>& shares) {
  length_ = length;
  last_ = now;
  recent_.clear();
  late_ = 0;
  told_ = false;
  count_ = static_cast<double>(shares.size());
  mean_ = std::accumulate(shares.begin(), shares.end(), 0.0) / count_;
  double squares = 0;
  for (const double share : shares)
    squares += (share - mean_) * (share - mean_);
  deviation_ = std::max(count_ > 1 ? std::sqrt(squares / (count_ - 1)) : 0,
                        count_ < known_well ? usual_share_deviation : least_share_deviation);
}

/// A share that is another from some time on makes one large difference; one that varies makes
/// many.
void FitWatch::learn_variation(double share) {
  if (previous_) {
    variation_ += (share - *previous_) * (share - *previous_);
    ++differences_;
  }
  previous_ = share;
}

/// Of one iteration's share: few iterations may have been much alike by chance.
double FitWatch::deviation() const {
  const double usual = differences_ > 0 ? std::sqrt(variation_ / differences_ / 2) : 0;
  return std::max(deviation_, usual);
}

bool FitWatch::departs(std::size_t iterations, double change, double errors) const {
  if (recent_.size() < iterations)
    return false;
  const auto last = std::span(recent_).last(iterations);
  const auto of = static_cast<double>(iterations);
  const double mean = std::accumulate(last.begin(), last.end(), 0.0) / of;
  const double error = deviation() * std::sqrt(1 / of + 1 / count_);
  const double direction = mean < mean_ ? -1 : 1;
  return std::abs(mean - mean_) > errors * error && std::ranges::all_of(last, [&](double share) {
           return direction * (share - mean_) > change;
         });
}

bool FitWatch::add(Seconds now, double share) {
  if (!watches() || told_)
    return false;
  late_ = 0;
  length_ += (now - last_ - length_) * length_gain; // lengths may change little by little
  last_ = now;
  if (recent_.size() == most_recent_shares)
    recent_.erase(recent_.begin());
  recent_.push_back(share);
  learn_variation(share);
  told_ = std::ranges::any_of(tolerances, [this](const Tolerance& tolerance) {
    return departs(tolerance.iterations, tolerance.change, tolerance.errors);
  });
  return told_;
}

bool FitWatch::is_late_again(Seconds now) {
  constexpr std::size_t once = 1; // may be anything
  last_ = now;
  return ++late_ > once;
}

bool FitWatch::is_away(Seconds now) const {
  return watches() && now - last_ > length_ * late_factor;
}

} // namespace hypermile::runtime
