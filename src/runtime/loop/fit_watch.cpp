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

/// By how much so many iterations in a row may differ from what gears were chosen for, all of them
/// above it or all below; and their mean, in standard errors. One may be an odd one.
struct Tolerance {
  double change;
  double errors;
};
constexpr std::array tolerances{Tolerance{0.2, 4}, Tolerance{0.12, 3.5}};

/// What is computed may become more or less little by little.
constexpr double computation_gain = 0.05;
/// A rank that computes so much of an iteration hardly waits.
constexpr double busy = 0.9;

/// Of iterations of which too few are known to tell how much they vary.
constexpr double usual_deviation = 0.05;
constexpr double least_variation = 0.02;
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

void Level::begin(const std::vector<double>& values) {
  recent_.clear();
  count_ = static_cast<double>(values.size());
  mean_ = std::accumulate(values.begin(), values.end(), 0.0) / count_;
  double squares = 0;
  for (const double value : values)
    squares += (value - mean_) * (value - mean_);
  deviation_ = std::max(count_ > 1 ? std::sqrt(squares / (count_ - 1)) : 0,
                        count_ < known_well ? usual_deviation : least_variation);
}

void Level::add(double value) {
  if (recent_.size() == rows.back())
    recent_.erase(recent_.begin());
  recent_.push_back(value);
  values_.add(value);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    Row& of_row = rows_[row];
    of_row.sum += value;
    if (++of_row.count < rows[row])
      continue;
    of_row.means.add(of_row.sum / static_cast<double>(rows[row]));
    of_row.sum = 0;
    of_row.count = 0;
  }
}

/// Few iterations may have been much alike by chance.
int Level::departure(std::size_t row) const {
  if (recent_.size() < rows[row])
    return 0;
  const auto last = std::span(recent_).last(rows[row]);
  const auto of = static_cast<double>(rows[row]);
  const double mean = std::accumulate(last.begin(), last.end(), 0.0) / of;
  const double of_mean = std::max(std::max(deviation_, values_.deviation()) / std::sqrt(of),
                                  rows_[row].means.deviation());
  const double error = of_mean * std::sqrt(1 + of / count_);
  const int direction = mean < mean_ ? -1 : 1;
  const bool departs = std::abs(mean - mean_) > tolerances[row].errors * error &&
                       std::ranges::all_of(last, [&](double value) {
                         return direction * (value - mean_) > tolerances[row].change;
                       });
  return departs ? direction : 0;
}

bool Level::is_above(std::size_t row, double least) const {
  return recent_.size() >= rows[row] &&
         std::ranges::all_of(std::span(recent_).last(rows[row]),
                             [least](double value) { return value > least; });
}

bool Level::is_below(std::size_t row, double most) const {
  return recent_.size() >= rows[row] &&
         std::ranges::all_of(std::span(recent_).last(rows[row]),
                             [most](double value) { return value < most; });
}

void FitWatch::begin(Seconds now, Seconds length, double scale,
                     const std::vector<Computed>& iterations) {
  length_ = length;
  last_ = now;
  scale_ = scale;
  late_ = 0;
  told_ = false;
  std::vector<double> shares;
  usual_ = {};
  for (const Computed& iteration : iterations) {
    shares.push_back(iteration.share);
    usual_ += iteration.computation / static_cast<double>(iterations.size());
  }
  shares_.begin(shares);
  std::vector<double> computations;
  for (const Computed& iteration : iterations)
    computations.push_back(against_usual(iteration.computation));
  computations_.begin(computations);
}

/// A rank that computes nothing does as usual.
double FitWatch::against_usual(Seconds computation) const {
  return usual_ > Seconds{} ? computation / usual_ : 1;
}

/// The iteration that is over; of a pause of the loop no more than what an iteration may take.
void FitWatch::learn_length(Seconds now) {
  lengths_.add(std::min((now - last_) / length_, latest_factor));
  away_factor_ =
      std::clamp(1 + late_deviations * lengths_.deviation(), least_away_factor, latest_factor);
  last_ = now;
}

bool FitWatch::departs(std::size_t row) const {
  constexpr double part = 0.5; // of what it may change by
  const double change = tolerances[row].change * part;
  const int direction = shares_.departure(row);
  const bool does_something_else = (direction > 0 && computations_.is_above(row, 1 + change)) ||
                                   (direction < 0 && computations_.is_below(row, 1 - change));
  const bool is_busy = scale_ > 1 && shares_.is_above(row, busy / scale_);
  return does_something_else || (is_busy && computations_.departure(row) > 0);
}

bool FitWatch::add(Seconds now, const Computed& iteration) {
  if (!watches() || told_)
    return false;
  late_ = 0;
  length_ += (now - last_ - length_) * length_gain;
  learn_length(now);
  shares_.add(iteration.share);
  computations_.add(against_usual(iteration.computation));
  for (std::size_t row = 0; row < Level::rows.size(); ++row)
    told_ = told_ || departs(row);
  usual_ += (iteration.computation - usual_) * computation_gain;
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
