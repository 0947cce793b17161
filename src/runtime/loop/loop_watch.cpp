#include "runtime/loop/loop_watch.hpp"

#include "runtime/loop/steadiness.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hypermile::runtime {
namespace {

/// A loop counts once it makes up this share of the time since MPI_Init; or this, where only the
/// places of its calls repeat.
constexpr double least_share_of_time = 0.05;
constexpr double least_share_of_places = 0.3;
/// And iterations that make the same calls, or are much like each other in length, this share of
/// the time since its begin: a part of an iteration that recurs (a reduction, say) leaves out the
/// rest of it. Length alone does not tell: other jobs on the same cores stretch some iterations.
constexpr double least_coverage = 0.3;
constexpr double lost_coverage = 0.25; ///< it is trusted no longer
constexpr double far_longer = 4;
/// What is over sooner (some broadcasts of a program's input, say) is not worth a gear.
constexpr Seconds least_total{0.01};

/// Loops that were left are told one by one, up to so many.
constexpr std::size_t most_left = 1024;

Seconds duration(const Span& span) { return span.computation + span.communication; }

/// Those of one phase together, counted in iterations of the last one, which may enclose others.
std::vector<LoopReport> by_phase(const std::vector<LoopReport>& loops) {
  std::vector<LoopReport> phases;
  for (const LoopReport& loop : loops) {
    const auto same = std::ranges::find(phases, loop.phase, &LoopReport::phase);
    if (same == phases.end()) {
      phases.push_back(loop);
      continue;
    }
    same->found = loop.found;
    same->description = loop.description;
    same->total += loop.total;
    same->computation += loop.computation;
    same->calls += loop.calls;
    const double calls = static_cast<double>(loop.calls) / static_cast<double>(loop.iterations);
    same->iterations =
        static_cast<std::size_t>(std::round(static_cast<double>(same->calls) / calls));
    same->times += loop.times;
  }
  return phases;
}

/// What of the loop was over before that moment.
LoopReport before(LoopReport loop, Seconds moment) {
  if (loop.first_iteration + loop.total <= moment)
    return loop;
  const double part = std::max((moment - loop.first_iteration) / loop.total, 0.0);
  const auto whole = [part](std::size_t count) {
    return static_cast<std::size_t>(static_cast<double>(count) * part);
  };
  loop.iterations = whole(loop.iterations);
  loop.calls = whole(loop.calls);
  loop.total = loop.total * part;
  loop.computation = loop.computation * part;
  return loop;
}

} // namespace

bool LoopWatch::add_call(const Call& call, const Span& span) {
  if (std::exchange(last_place_, call.place) == call.place && call.repeats_by_time && !marked_) {
    finder_.add_to_last(span);
    Span no_call = span;
    no_call.calls = 0;
    under_way_ += no_call;
    return false;
  }
  under_way_ += span;
  if (marked_)
    return false;
  const auto step = finder_.add(call.detail, call.place, span);
  if (step == LoopFinder::Step::none)
    return false;
  if (step == LoopFinder::Step::iteration)
    count(std::exchange(under_way_, {}), std::exchange(fresh_, true), finder_.is_equal());
  else if (trusted_ && finder_.goes_on())
    count_on();
  else
    count_again();
  trust(span.end);
  return trusted_;
}

/// The program goes on with another loop.
void LoopWatch::leave() {
  if (left_.size() == most_left)
    left_ = by_phase(left_);
  left_.push_back(report());
  left_.back().description = description_;
}

/// The iterations of another loop, as far as they are remembered.
void LoopWatch::count_again() {
  if (trusted_ && finder_.is_new_phase())
    leave();
  const bool is_new = finder_.is_new_phase() && !finder_.goes_on();
  known_before_ = 0;
  for (const LoopReport& left : left_)
    known_before_ += is_new && left.phase == finder_.phase() ? left.iterations : 0;
  phase_ = finder_.phase();
  is_around_last_ = takeovers_ > 0 && !is_new;
  trusted_ = false;
  has_changed_ = false;
  loop_ = {};
  usual_ = 0;
  const CallWindow& window = finder_.window();
  const auto& boundaries = finder_.main()->boundaries;
  const std::size_t middle = (boundaries.size() + 1) / 2;
  typical_ = duration(window.sum(boundaries[middle - 1] + 1, boundaries[middle] + 1)).value();
  count_since(0);
  for (LoopReport& left : left_) // what it holds is its own
    left = before(left, loop_.total.begin - start_);
  std::erase_if(left_, [](const LoopReport& left) { return left.iterations == 0; });
  if (known_before_ > 0)
    take_over(1);
}

/// The same loop under another anchor. How many iterations have passed since the last one that was
/// counted is known on average only: no more than there were calls for, nor time.
void LoopWatch::count_on() {
  const CallWindow& window = finder_.window();
  const auto& boundaries = finder_.main()->boundaries;
  const auto first = std::ranges::upper_bound(boundaries, loop_.total.end.value(), {},
                                              [&](std::size_t call) { return window.end(call); });
  if (first == boundaries.end())
    return;
  const Span gap = under_way_before(*first + 1);
  const Seconds lasted = std::max(Seconds{0}, duration(gap)); // it is a difference of sums
  const Seconds mean = duration(loop_.total) / static_cast<double>(loop_.iterations);
  const double iterations = std::min(static_cast<double>(gap.calls) / mean_calls(), lasted / mean);
  loop_.pass(gap, static_cast<std::size_t>(std::round(iterations)));
  usual_ += lasted.value();
  count_since(static_cast<std::size_t>(first - boundaries.begin()));
}

/// Of what is under way, what was before a call of the window. It may have begun so long ago that
/// its first calls have left the window.
Span LoopWatch::under_way_before(std::size_t call) const {
  const CallWindow& window = finder_.window();
  Span span = under_way_;
  if (call == window.next())
    return span;
  const Span rest = window.sum(call, window.next());
  span.end = Seconds{window.end(call - 1)};
  span.calls -= rest.calls;
  span.computation -= rest.computation;
  span.computation_in_gear0 -= rest.computation_in_gear0;
  span.communication -= rest.communication;
  return span;
}

/// The iterations of the main loop from that boundary on.
void LoopWatch::count_since(std::size_t first) {
  const CallWindow& window = finder_.window();
  const auto& boundaries = finder_.main()->boundaries;
  const auto is_fresh = [this](std::size_t boundary) { return boundary >= fresh_from_; };
  for (std::size_t i = first + 1; i < boundaries.size(); ++i) {
    Span span = window.sum(boundaries[i - 1] + 1, boundaries[i] + 1);
    if (loop_.iterations == 0)
      span.computation_before = window.computation_before(boundaries.front() + 1);
    count(span, is_fresh(boundaries[i - 1]), finder_.main()->exact);
  }
  const std::size_t next = boundaries.back() + 1;
  under_way_ = next < window.next() ? window.sum(next, window.next()) : Span{};
  fresh_ = is_fresh(boundaries.back());
}

void LoopWatch::count(const Span& iteration, bool fresh, bool equal) {
  loop_.count(iteration, fresh);
  const double length = duration(iteration).value();
  if (equal || length <= far_longer * typical_)
    usual_ += length;
  typical_ *= length > typical_ ? 1.25 : 0.8;
}

bool LoopWatch::is_trustworthy(Seconds now) const {
  const double coverage = usual_ / (now - loop_.total.begin).value();
  if (trusted_)
    return !finder_.is_doubtful() && coverage >= lost_coverage;
  const Seconds own = duration(loop_.total);
  return !finder_.is_doubtful() && own >= least_total &&
         own >= (now - start_) *
                    (finder_.main()->by_place ? least_share_of_places : least_share_of_time) &&
         coverage >= least_coverage;
}

void LoopWatch::trust(Seconds now) {
  const bool before = std::exchange(trusted_, is_trustworthy(now));
  if (trusted_ && !before)
    take_over(2);
}

/// There are news once it has so many iterations.
void LoopWatch::take_over(std::size_t iterations) {
  trusted_ = true;
  ++takeovers_;
  next_news_ = iterations;
  is_news_itself_ = is_around_last_ || known_before_ > 0;
  description_ = finder_.describe();
}

bool LoopWatch::mark_iteration(const Span& computed) {
  under_way_ += computed;
  const Span iteration = std::exchange(under_way_, {});
  const bool fresh = std::exchange(fresh_, true);
  if (!std::exchange(marked_, true)) {
    // The first mark only begins an iteration; what the finder saw before no longer matters.
    loop_ = {};
    ++takeovers_;
    next_news_ = 1;
    return false;
  }
  loop_.count(iteration, fresh);
  return true;
}

bool LoopWatch::take_news() {
  if (!found() || (loop_.measured_iterations == 0 && !is_news_itself_))
    return false;
  const std::size_t count = loop_.iterations;
  const bool again =
      look_again_ && (loop_.measured_iterations >= *look_again_ ||
                      is_well_known(loop_.measured_iterations, mean_length(), deviation()));
  if (!again && count < next_news_)
    return false;
  look_again_.reset();
  is_news_itself_ = false;
  next_news_ = count + repetition_.every.value_or((count + known_before_ + 1) / 2);
  return true;
}

std::size_t LoopWatch::iterations() const { return found() ? loop_.iterations : 0; }

LoopWatch::Told LoopWatch::told() const {
  if (loop_.measured_iterations > 0)
    return {loop_.measured, static_cast<double>(loop_.measured_iterations)};
  return {loop_.total, static_cast<double>(loop_.iterations)};
}

Span LoopWatch::mean_iteration() const {
  const auto [span, count] = told();
  Span mean = span;
  mean.computation = span.computation / count;
  mean.communication = span.communication / count;
  mean.computation_in_gear0 =
      repetition_.follows_changes() || has_changed_
          ? span.computation_in_gear0 / count
          : loop_.total.computation_in_gear0 / static_cast<double>(loop_.iterations);
  return mean;
}

Seconds LoopWatch::deviation() const {
  if (measured_iterations() < 2)
    return {};
  const auto count = static_cast<double>(loop_.measured_iterations);
  const double mean = duration(loop_.measured).value() / count;
  const double variance = std::max(loop_.squares / count - mean * mean, 0.0);
  return Seconds{std::sqrt(variance / (count - 1))};
}

std::size_t LoopWatch::measured_iterations() const {
  return found() ? loop_.measured_iterations : 0;
}

Span LoopWatch::measured() const { return found() ? loop_.measured : Span{}; }

Seconds LoopWatch::mean_length() const {
  const auto [span, count] = told();
  return duration(span) / count;
}

std::vector<Computed> LoopWatch::last_computed(std::size_t most) const {
  std::vector<Computed> all;
  const auto& last = loop_.last;
  for (std::size_t i = last.size() - std::min(last.size(), most); i < last.size(); ++i) {
    const Seconds end = i + 1 < last.size() ? last[i + 1].begin : loop_.total.end;
    const Seconds computation = last[i].computation_in_gear0;
    all.push_back({.share = computation / (end - last[i].begin), .computation = computation});
  }
  return all;
}

double LoopWatch::mean_calls() const {
  return static_cast<double>(loop_.total.calls) / static_cast<double>(loop_.iterations);
}

void LoopWatch::measure_afresh() {
  loop_.measure_afresh();
  fresh_from_ = finder_.window().next();
  fresh_ = false;
}

void LoopWatch::begin_level() {
  has_changed_ = true;
  is_news_itself_ = false;
  loop_.last.clear();
  measure_afresh();
}

LoopReport LoopWatch::report() const {
  LoopReport report;
  if (!found())
    return report;
  report.found = marked_ ? LoopReport::Found::marker : LoopReport::Found::pattern;
  report.description = marked_ ? "hm_iteration()" : finder_.describe();
  report.phase = phase_;
  report.iterations = loop_.iterations;
  report.first_iteration = loop_.total.begin - start_;
  report.total = duration(loop_.total);
  report.computation = loop_.total.computation;
  report.calls = loop_.total.calls;
  report.calls_before = loop_.total.calls_before;
  report.computation_before = loop_.total.computation_before;
  return report;
}

std::vector<LoopReport> LoopWatch::phases() const {
  std::vector<LoopReport> all = left_;
  if (found())
    all.push_back(report());
  return by_phase(all);
}

} // namespace hypermile::runtime
