#include "runtime/loop/loop_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace hypermile::runtime {
namespace {

/// A loop counts once it makes up this share of the time since MPI_Init.
constexpr std::array<double, 2> trusted_share{0.05, 0.3};
/// And this share of the time since its own begin: a part of an iteration that recurs (a
/// reduction, say) leaves out the rest of it.
constexpr double trusted_coverage = 0.8;
/// And either of these: a few short iterations say little about the next.
constexpr std::size_t enough_iterations = 12;
constexpr Seconds long_enough{0.5};
/// What is over sooner (some broadcasts of a program's input, say) is not worth a gear.
constexpr Seconds least_total{0.01};

Seconds duration(const Span& span) { return span.computation + span.communication; }

bool measured_enough(const Loop& loop) {
  return loop.measured_iterations >= enough_iterations ||
         (loop.measured_iterations >= 1 && duration(loop.measured) >= long_enough);
}

/// Or they took this share of the time since MPI_Init, as the fewer ones of an outer loop do: to
/// wait for more would leave the run alone for too long.
constexpr double much_of_the_time = 0.25;
constexpr std::size_t a_few_iterations = 4;

bool are_much_of_the_time(const Loop& loop, Seconds start) {
  return loop.measured_iterations >= a_few_iterations &&
         duration(loop.measured) >= (loop.measured.end - start) * much_of_the_time;
}

} // namespace

bool LoopWatch::add_call(const Call& call, const Span& span) {
  under_way_ += span;
  if (marked_)
    return false;
  const std::array<CallSignature, 2> signatures{call.detail, call.place};
  bool iteration_of_main = false;
  for (const Level level : {by_detail, by_place}) {
    if (const auto completed = finders_[level].add(signatures[level], span)) {
      consider({level, *completed}, span.end);
      iteration_of_main = iteration_of_main || main_ == LoopAt{level, *completed};
    }
  }
  return iteration_of_main;
}

void LoopWatch::consider(LoopAt candidate, Seconds now) {
  if (main_ != candidate && takes_over(candidate, now)) {
    if (main_ && main_->level == candidate.level &&
        !finders_[candidate.level].encloses(candidate.id, main_->id))
      ++phase_;
    main_ = candidate;
    ++takeovers_;
    next_news_ = std::numeric_limits<std::size_t>::max();
    news_ = true;
  }
}

bool LoopWatch::takes_over(LoopAt candidate, Seconds now) const {
  const Loop& found = loop(candidate);
  const Seconds own = duration(found.measured);
  const bool trusted = measured_enough(found) && own >= least_total &&
                       own >= (now - start_) * trusted_share[candidate.level] &&
                       own >= (now - found.measured.begin) * trusted_coverage;
  if (!main_ || main_->level > candidate.level)
    return trusted;
  const LoopFinder& finder = finders_[candidate.level];
  if (main_->level < candidate.level || found.measured_iterations < 2 ||
      finder.encloses(main_->id, candidate.id))
    return false;
  return trusted || finder.encloses(candidate.id, main_->id);
}

bool LoopWatch::mark_iteration(const Span& computed) {
  under_way_ += computed;
  const Span iteration = std::exchange(under_way_, {});
  const bool fresh = std::exchange(fresh_, true);
  if (!std::exchange(marked_, true)) {
    // The first mark only begins an iteration; what the finder saw before no longer matters.
    news_ = true; // once one is complete
    ++takeovers_;
    next_news_ = std::numeric_limits<std::size_t>::max();
    return false;
  }
  marker_loop_.count(iteration, fresh);
  return true;
}

bool LoopWatch::take_news() {
  if (!(marked_ || main_) || main().measured_iterations == 0)
    return false;
  // The first iteration that a program marks is believed; a few short ones in a new gear are not.
  const bool asked = news_ || look_again_ || iterations() >= next_news_;
  const bool enough =
      (news_ && marked_) || measured_enough(main()) || are_much_of_the_time(main(), start_);
  if (!asked || !enough)
    return false;
  news_ = look_again_ = false;
  next_news_ = iterations() + repetition_.every.value_or((iterations() + 1) / 2);
  return true;
}

std::size_t LoopWatch::iterations() const {
  return marked_ || main_ ? main().iterations : std::size_t{0};
}

Span LoopWatch::mean_iteration() const {
  const Loop& loop = main();
  const auto measured = static_cast<double>(loop.measured_iterations);
  Span mean = loop.measured;
  mean.computation = mean.computation / measured;
  mean.communication = mean.communication / measured;
  mean.computation_in_gear0 =
      repetition_.follows_changes()
          ? loop.measured.computation_in_gear0 / measured
          : loop.total.computation_in_gear0 / static_cast<double>(loop.iterations);
  return mean;
}

Seconds LoopWatch::deviation() const {
  if (measured_iterations() < 2)
    return {};
  const Loop& loop = main();
  const auto count = static_cast<double>(loop.measured_iterations);
  const double mean = duration(loop.measured).value() / count;
  const double variance = std::max(loop.squares / count - mean * mean, 0.0);
  return Seconds{std::sqrt(variance / (count - 1))};
}

std::size_t LoopWatch::measured_iterations() const {
  return marked_ || main_ ? main().measured_iterations : 0;
}

Span LoopWatch::measured() const { return marked_ || main_ ? main().measured : Span{}; }

Seconds LoopWatch::mean_length() const {
  return duration(main().measured) / static_cast<double>(main().measured_iterations);
}

double LoopWatch::mean_calls() const {
  return static_cast<double>(main().total.calls) / static_cast<double>(main().iterations);
}

void LoopWatch::measure_afresh() {
  for (LoopFinder& finder : finders_)
    finder.measure_afresh();
  marker_loop_.measure_afresh();
  fresh_ = false;
}

LoopReport LoopWatch::report() const {
  LoopReport report;
  if (!marked_ && !main_)
    return report;
  const Loop& loop = main();
  report.found = marked_ ? LoopReport::Found::marker : LoopReport::Found::pattern;
  report.description = marked_ ? "hm_iteration()" : finders_[main_->level].describe(main_->id);
  report.iterations = loop.iterations;
  report.first_iteration = loop.total.begin - start_;
  report.total = duration(loop.total);
  report.computation = loop.total.computation;
  report.calls = loop.total.calls;
  report.calls_before = loop.total.calls_before;
  report.computation_before = loop.total.computation_before;
  return report;
}

} // namespace hypermile::runtime
