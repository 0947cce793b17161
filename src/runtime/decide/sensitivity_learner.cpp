#include "runtime/decide/sensitivity_learner.hpp"

#include "model/sensitivity.hpp"
#include "runtime/decide/common_loop.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

namespace hypermile::runtime {
namespace {

using model::RankTimeline;

/// What a rank computes in segments that are each less than this share of it is one segment.
constexpr double least_share = 0.02;
/// That one; and all that a rank computes where its events are not known.
constexpr std::uint32_t everything = 0;
/// By how much the first iterations of a loop may be unlike later ones, where nothing is known of
/// that: of the logarithm. It fades as there are more of them.
constexpr double first_drift = 0.05;
/// Of fewer it cannot be told what they have in common.
constexpr std::size_t least_ranks = 3;
/// More visits of a segment say little more.
constexpr std::size_t most_visits = 24;

/// What was in the gear with this scale, and is taken to have reacted in full, would have been so
/// many times as long in gear 0.
double corrected(double scale, double sensitivity) {
  return scale / model::stretch(scale, sensitivity);
}

double seconds_of(const std::vector<model::GearVisit>& visits, double sensitivity) {
  double sum = 0;
  double iterations = 0;
  for (const model::GearVisit& visit : visits) {
    const auto count = static_cast<double>(visit.iterations);
    sum += count * std::exp(visit.log_mean) / model::stretch(visit.scale, sensitivity);
    iterations += count;
  }
  return iterations > 0 ? sum / iterations : 0;
}

/// Of the same gear and period there is one.
model::GearVisit& visit_of(std::vector<model::GearVisit>& visits, double scale,
                           std::size_t period) {
  for (model::GearVisit& visit : visits)
    if (visit.scale == scale && visit.period == period)
      return visit;
  if (visits.size() == most_visits)
    visits.erase(visits.begin() + 1); // the first one may be all that is known of gear 0
  visits.push_back({.scale = scale, .period = period});
  return visits.back();
}

/// Of a visit.
double mean_iterations(const auto& visits) {
  double iterations = 0;
  double count = 0;
  for (const auto& [segment, ranks] : visits)
    for (const auto& of_rank : ranks)
      for (const model::GearVisit& visit : of_rank) {
        iterations += static_cast<double>(visit.iterations);
        count += 1;
      }
  return count > 0 ? iterations / count : 1;
}

/// None where the gear changed on the way.
std::optional<double> scale_of(const RankTimeline& rank, std::size_t first, std::size_t end) {
  const double scale = gear_scale_before(rank, first);
  for (const auto& earlier : rank.earlier)
    if (earlier.end > first && earlier.end < end)
      return std::nullopt;
  return scale;
}

/// Whether iteration number `i` has events that tell of more computation than the rank did: others
/// had its core meanwhile, which events do not know.
bool is_disturbed(const Measurement& m, std::size_t i, std::size_t first, std::size_t end) {
  constexpr double tolerance = 1.03;
  const std::size_t from_last = m.iterations.size() - 1 - i;
  if (m.scales.size() != m.computations.size() || from_last > m.scales.size())
    return false;
  const std::size_t told = m.scales.size() - from_last;
  double passed = 0;
  for (std::size_t e = first; e < end; ++e)
    passed += static_cast<double>(m.timeline->events[e].computation);
  return passed > tolerance * (m.computations[told] * m.scales[told]).value();
}

/// Whether the event was before the last change of gears.
bool is_before(const RankTimeline& rank, std::size_t event) {
  return !rank.earlier.empty() && event < rank.earlier.back().end;
}

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// The second half of them against the first.
double difference_of_halves(const std::vector<double>& values) {
  const std::size_t half = values.size() / 2;
  const std::span<const double> all(values);
  return mean(all.last(half)) - mean(all.first(half));
}

} // namespace

void SensitivityLearner::learn(const std::vector<Measurement>& all) {
  next_.resize(all.size(), 0);
  std::vector<Drift> drifts;
  std::vector<std::vector<double>> earlier;
  std::vector<std::vector<double>> times;
  for (const Measurement& m : all) {
    Iterations iterations = m.timeline ? learn_events(m) : learn_means(m);
    if (const auto drift = drift_of(iterations))
      drifts.push_back(*drift);
    earlier.push_back(std::move(iterations.earlier));
    times.push_back(std::move(iterations.times));
  }
  learn_common(earlier);
  learn_common(times);
  learn_drift(drifts);
  estimate();
}

void SensitivityLearner::pass_over(const std::vector<Measurement>& all) {
  next_.resize(all.size(), 0);
  for (const Measurement& m : all)
    if (m.timeline)
      next_[static_cast<std::size_t>(m.rank)] =
          model::events_before(*m.timeline) + m.timeline->events.size();
}

/// What is left of it where noise is taken off. Programs whose work changes while gears do not will
/// change it when they do. Where it goes on changing in the same direction, it is the more
/// different the longer ago something was; what comes and goes has products of both signs.
void SensitivityLearner::learn_drift(const std::vector<Drift>& of_ranks) {
  if (of_ranks.size() < least_ranks)
    return;
  const auto count = static_cast<double>(of_ranks.size());
  double change = 0;
  double rate = 0;
  for (const Drift& drift : of_ranks) {
    change += drift.change / count;
    rate += drift.change / drift.seconds / count;
  }
  double squares = 0;
  for (const Drift& drift : of_ranks)
    squares += (drift.change - change) * (drift.change - change);
  drifts_ += std::max(change * change - squares / (count - 1) / count, 0.0);
  lasting_rates_ += rate_ * rate;
  rate_ = rate;
  ++times_drifted_;
}

/// The first iteration may have more to do on every rank, say: the mean of few iterations would not
/// be the surer the more ranks there are. What each rank has of its own is taken off.
void SensitivityLearner::learn_common(const std::vector<std::vector<double>>& of_ranks) {
  std::size_t count = std::numeric_limits<std::size_t>::max();
  double ranks = 0; // that have told of several
  for (const auto& of_rank : of_ranks)
    if (of_rank.size() > 1) {
      count = std::min(count, of_rank.size());
      ++ranks;
    }
  if (ranks < least_ranks)
    return;
  std::vector<double> common(count);
  double squares = 0;
  for (const auto& of_rank : of_ranks) {
    if (of_rank.size() < count)
      continue;
    const auto last = std::span(of_rank).last(count);
    const double level = mean(last);
    for (std::size_t i = 0; i < count; ++i) {
      common[i] += (last[i] - level) / ranks;
      squares += (last[i] - level) * (last[i] - level);
    }
  }
  const double of_common = std::inner_product(common.begin(), common.end(), common.begin(), 0.0);
  const double own = (squares - ranks * of_common) / (ranks - 1);
  common_squares_ += std::max(of_common - own / ranks, 0.0);
  common_freedom_ += static_cast<double>(count - 1);
}

model::LevelNoise SensitivityLearner::level() const {
  model::LevelNoise level;
  const auto times = static_cast<double>(times_drifted_);
  const double of_visit = mean_iterations(visits_);
  level.common = std::max(level.common,
                          times_drifted_ > 0 ? std::sqrt(drifts_ / times) : first_drift / of_visit);
  if (common_freedom_ > 0)
    level.common = std::max(level.common, std::sqrt(common_squares_ / common_freedom_ / of_visit));
  if (times_drifted_ > 1)
    level.drift = std::sqrt(std::max(lasting_rates_ / (times - 1), 0.0));
  return level;
}

std::optional<SensitivityLearner::Drift>
SensitivityLearner::drift_of(const Iterations& iterations) {
  constexpr std::size_t enough = 4;
  if (iterations.times.size() < enough)
    return std::nullopt;
  return Drift{.change = difference_of_halves(iterations.times),
               .seconds = difference_of_halves(iterations.moments)};
}

SensitivityLearner::Iterations SensitivityLearner::learn_events(const Measurement& m) {
  const auto rank = static_cast<std::size_t>(m.rank);
  const std::uint64_t begin = model::events_before(*m.timeline);
  const std::uint64_t end = begin + m.timeline->events.size();
  const std::vector<Seconds> begins = boundaries(m);
  const auto recorded = static_cast<std::size_t>(std::ranges::lower_bound(m.iterations, begin) -
                                                 m.iterations.begin());
  Iterations told;
  for (std::size_t i = recorded; i + 1 < m.iterations.size(); ++i) {
    const std::uint64_t first = m.iterations[i];
    const std::uint64_t last = m.iterations[i + 1];
    if (first >= next_[rank] && first < last && last <= end) {
      const double moment = begins[i - recorded].value();
      const auto time = is_disturbed(m, i, first - begin, last - begin)
                            ? std::nullopt
                            : add_iteration(m, first - begin, last - begin, moment);
      if (time && is_before(*m.timeline, first - begin)) {
        told.earlier.push_back(std::log(*time));
      } else if (time) {
        told.times.push_back(std::log(*time));
        told.moments.push_back(moment);
      }
      next_[rank] = last;
    }
  }
  return told;
}

std::optional<double> SensitivityLearner::add_iteration(const Measurement& m, std::size_t first,
                                                        std::size_t end, double moment) {
  const RankTimeline& timeline = *m.timeline;
  const auto scale = scale_of(timeline, first, end);
  if (!scale)
    return std::nullopt;
  std::vector<double> of_operations(timeline.operations.size());
  double sum = 0;
  for (std::size_t e = first; e < end; ++e) {
    const auto computed = static_cast<double>(timeline.events[e].computation);
    of_operations[timeline.events[e].operation] += computed;
    sum += computed;
  }
  Times times; // there are far fewer operations than events
  for (std::size_t o = 0; o < of_operations.size(); ++o)
    if (of_operations[o] > 0)
      times[{timeline.operations[o].function, timeline.operations[o].site}] += of_operations[o];
  if (!(sum > 0))
    return std::nullopt;
  double rest = 0;
  for (auto time = times.begin(); time != times.end();)
    if (time->second < least_share * sum) {
      rest += time->second;
      time = times.erase(time);
    } else {
      ++time;
    }
  if (rest > 0)
    times[{0, everything}] = rest;
  const std::size_t period = 2 * m.orders + (is_before(timeline, first) ? 0 : 1);
  for (const auto& [segment, time] : times) {
    auto& ranks = visits_[segment];
    ranks.resize(next_.size());
    visit_of(ranks[static_cast<std::size_t>(m.rank)], *scale, period).add(std::log(time), moment);
  }
  return sum;
}

/// Of the iterations in the present gear: others were told before. Where what others took of the
/// core is expected to go on, what is told is not what passed, and teaches nothing.
SensitivityLearner::Iterations SensitivityLearner::learn_means(const Measurement& m) {
  Iterations told;
  if (m.scales.empty() || m.scales.size() != m.computations.size() || length(m) <= Seconds{})
    return told;
  constexpr double rounding = 1e-5;
  const double scale = m.node.type.gears.scale(m.gear);
  model::GearVisit visit{.scale = scale, .period = 2 * m.orders + 1};
  const std::size_t all = m.scales.size();
  std::size_t first = all;
  while (first > 0 && std::abs(m.scales[first - 1] - scale) <= rounding * scale &&
         m.computations[first - 1] > Seconds{})
    --first;
  for (std::size_t i = first; i < all; ++i) {
    told.moments.push_back((m.elapsed - length(m) * static_cast<double>(all - i)).value());
    told.times.push_back(std::log((m.computations[i] * m.scales[i]).value()));
    visit.add(told.times.back(), told.moments.back());
  }
  if (visit.iterations == 0)
    return told;
  auto& ranks = visits_[{0, everything}];
  ranks.resize(next_.size());
  visit_of(ranks[static_cast<std::size_t>(m.rank)], scale, visit.period) = visit;
  return told;
}

void SensitivityLearner::estimate() {
  estimates_.clear();
  const model::LevelNoise noise = level();
  for (auto& [segment, ranks] : visits_) {
    ranks.resize(next_.size());
    Estimates estimates = model::estimate_sensitivity(ranks, noise);
    if (std::ranges::any_of(estimates, &model::SensitivityEstimate::known))
      estimates_.emplace(segment, std::move(estimates));
  }
}

double SensitivityLearner::value(Segment segment, std::size_t rank, bool careful) const {
  const auto found = estimates_.find(segment);
  if (found == estimates_.end() || rank >= found->second.size() || !found->second[rank].known)
    return 1;
  return careful ? found->second[rank].careful : found->second[rank].mean;
}

double SensitivityLearner::in_gear0(Segment segment, std::size_t rank) const {
  const auto found = visits_.find(segment);
  return found == visits_.end() || rank >= found->second.size()
             ? 0
             : seconds_of(found->second[rank], value(segment, rank, false));
}

double SensitivityLearner::of_rank(std::size_t rank, bool careful) const {
  double sum = 0;
  double reacting = 0;
  for (const auto& [segment, ranks] : visits_) {
    const double seconds = in_gear0(segment, rank);
    sum += seconds;
    reacting += seconds * value(segment, rank, careful);
  }
  return sum > 0 ? reacting / sum : 1;
}

void SensitivityLearner::apply(std::vector<Measurement>& all, bool careful) const {
  if (estimates_.empty())
    return;
  for (Measurement& m : all) {
    const auto rank = static_cast<std::size_t>(m.rank);
    m.sensitivity = of_rank(rank, careful);
    const double in_gear0 = m.computation_in_gear0.value();
    const double mean = in_gear0 > 0 ? std::max(m.computation.value() / in_gear0, 1.0) : 1;
    m.computation_in_gear0 = m.computation_in_gear0 * corrected(mean, m.sensitivity);
    m.computed = m.computed * corrected(mean, m.sensitivity);
    for (std::size_t i = 0; i < m.scales.size() && i < m.computations.size(); ++i)
      m.computations[i] = m.computations[i] * corrected(std::max(m.scales[i], 1.0), m.sensitivity);
    if (!m.timeline)
      continue;
    m.timeline->sensitivity_otherwise = m.sensitivity;
    for (const model::Operation& operation : m.timeline->operations) {
      const Segment segment{operation.function, operation.site};
      const bool is_one = visits_.contains(segment);
      m.timeline->sensitivity.push_back(
          value(is_one ? segment : Segment{0, everything}, rank, careful));
    }
  }
}

std::vector<LearntSensitivity>
SensitivityLearner::report(const std::vector<std::string>& functions) const {
  std::vector<LearntSensitivity> report;
  double all = 0;
  for (const auto& [segment, ranks] : visits_)
    for (std::size_t r = 0; r < ranks.size(); ++r)
      all += in_gear0(segment, r);
  for (const auto& [segment, estimates] : estimates_) {
    LearntSensitivity learnt{.function = "", .value = 0, .low = 0, .high = 0};
    double sum = 0;
    for (std::size_t r = 0; r < estimates.size(); ++r) {
      const double seconds = in_gear0(segment, r);
      const auto& of_rank = estimates[r];
      sum += seconds;
      learnt.value += seconds * (of_rank.known ? of_rank.mean : 1);
      learnt.low += seconds * of_rank.low;
      learnt.high += seconds * of_rank.high;
    }
    if (!(sum > 0))
      continue;
    learnt.value /= sum;
    learnt.low /= sum;
    learnt.high /= sum;
    learnt.share = sum / all;
    learnt.place = segment.second;
    if (segment.second != everything && segment.first < functions.size())
      learnt.function = functions[segment.first];
    report.push_back(std::move(learnt));
  }
  std::ranges::stable_sort(report, std::ranges::greater{}, &LearntSensitivity::share);
  return report;
}

} // namespace hypermile::runtime
