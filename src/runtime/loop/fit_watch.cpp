#include "runtime/loop/fit_watch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>

namespace hypermile::runtime {
namespace {

/// An iteration that takes so many times the usual length is not one of them; or that is longer by
/// so many standard deviations, but not by more than that.
constexpr double late_deviations = 4;
constexpr double latest_factor = 4;
constexpr double length_gain = 0.2;

/// By how much the shares of so many iterations in a row may differ from what gears were chosen
/// for, all of them above it or all below; and their mean, in standard errors. One may be an odd
/// one.
struct Tolerance {
  double change;
  double errors;
};
constexpr std::array tolerances{Tolerance{0.2, 4}, Tolerance{0.12, 3.5}};

/// Of iterations of which too few are known to tell how much they vary.
constexpr double usual_share_deviation = 0.05;
constexpr double least_share_deviation = 0.02;
constexpr double known_well = 4;

} // namespace

void Variation::add(double value) {
  if (previous_) {
    squares_ += (value - *previous_) * (value - *previous_);
    ++differences_;
  }
  previous_ = value;
}

double Variation::deviation() const {
  return differences_ > 0 ? std::sqrt(squares_ / differences_ / 2) : 0;
}

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

void FitWatch::learn_share(double share) {
  shares_.add(share);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    Row& of_row = rows_[row];
    of_row.sum += share;
    if (++of_row.count < rows[row])
      continue;
    of_row.means.add(of_row.sum / static_cast<double>(rows[row]));
    of_row.sum = 0;
    of_row.count = 0;
  }
}

/// The iteration that is over; of a pause of the loop no more than what an iteration may take.
void FitWatch::learn_length(Seconds now) {
  lengths_.add(std::min((now - last_) / length_, latest_factor));
  away_factor_ =
      std::clamp(1 + late_deviations * lengths_.deviation(), least_away_factor, latest_factor);
  last_ = now;
}

/// Few iterations may have been much alike by chance.
bool FitWatch::departs(std::size_t row) const {
  if (recent_.size() < rows[row])
    return false;
  const auto last = std::span(recent_).last(rows[row]);
  const auto of = static_cast<double>(rows[row]);
  const double mean = std::accumulate(last.begin(), last.end(), 0.0) / of;
  const double of_mean = std::max(std::max(deviation_, shares_.deviation()) / std::sqrt(of),
                                  rows_[row].means.deviation());
  const double error = of_mean * std::sqrt(1 + of / count_);
  const double direction = mean < mean_ ? -1 : 1;
  return std::abs(mean - mean_) > tolerances[row].errors * error &&
         std::ranges::all_of(last, [&](double share) {
           return direction * (share - mean_) > tolerances[row].change;
         });
}

bool FitWatch::add(Seconds now, double share) {
  if (!watches() || told_)
    return false;
  late_ = 0;
  length_ += (now - last_ - length_) * length_gain; // lengths may change little by little
  learn_length(now);
  if (recent_.size() == rows.back())
    recent_.erase(recent_.begin());
  recent_.push_back(share);
  learn_share(share);
  for (std::size_t row = 0; row < rows.size(); ++row)
    told_ = told_ || departs(row);
  return told_;
}

bool FitWatch::is_late_again(Seconds now) {
  constexpr std::size_t once = 1; // may be anything
  learn_length(now);
  return ++late_ > once;
}

bool FitWatch::is_away(Seconds now) const {
  return watches() && now - last_ > length_ * away_factor_;
}

} // namespace hypermile::runtime
