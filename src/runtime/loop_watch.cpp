#include "runtime/loop_watch.hpp"

#include <fmt/format.h>

#include <utility>

namespace hypermile::runtime {
namespace {

/// A loop counts once it makes up this share of the time since MPI_Init.
constexpr double trusted_share = 0.05;

} // namespace

bool LoopWatch::add_call(CallSignature signature, const Span& span) {
  under_way_ += span;
  if (marked_)
    return false;
  const auto completed = finder_.add(signature, span);
  if (!completed)
    return false;
  consider(*completed, span.end);
  return completed == main_;
}

void LoopWatch::consider(LoopId id, Seconds now) {
  if (id == main_)
    return;
  const Loop& loop = finder_.loop(id);
  if (loop.measured_iterations < (main_ ? 2 : 1))
    return;
  if (main_ && finder_.encloses(*main_, id))
    return;
  if ((main_ && finder_.encloses(id, *main_)) || trusted(loop, now)) {
    main_ = id;
    news_ = true;
  }
}

bool LoopWatch::trusted(const Loop& loop, Seconds now) const {
  return loop.measured.end - loop.measured.begin >= (now - start_) * trusted_share;
}

bool LoopWatch::mark_iteration(const Span& computed) {
  under_way_ += computed;
  const Span iteration = std::exchange(under_way_, {});
  const bool fresh = std::exchange(fresh_, true);
  if (!std::exchange(marked_, true)) {
    // The first mark only begins an iteration; what the finder saw before no longer matters.
    news_ = false;
    return false;
  }
  ++marker_loop_.iterations;
  marker_loop_.total += iteration;
  if (fresh) {
    ++marker_loop_.measured_iterations;
    marker_loop_.measured += iteration;
    news_ = news_ || marker_loop_.iterations == 1;
  }
  return true;
}

bool LoopWatch::take_news() { return std::exchange(news_, false); }

const Loop& LoopWatch::main() const { return marked_ ? marker_loop_ : finder_.loop(*main_); }

std::size_t LoopWatch::iterations() const {
  return marked_ || main_ ? main().iterations : std::size_t{0};
}

Span LoopWatch::mean_iteration() const {
  const Loop& loop = main();
  const auto n = static_cast<double>(loop.measured_iterations);
  Span mean = loop.measured;
  mean.computation = mean.computation / n;
  mean.computation_in_gear0 = mean.computation_in_gear0 / n;
  mean.communication = mean.communication / n;
  return mean;
}

void LoopWatch::measure_afresh() {
  finder_.measure_afresh();
  marker_loop_.measured_iterations = 0;
  marker_loop_.measured = {};
  fresh_ = false;
}

LoopReport LoopWatch::report() const {
  LoopReport report;
  if (!marked_ && !main_)
    return report;
  const Loop& loop = main();
  report.found = marked_ ? LoopReport::Found::marker : LoopReport::Found::pattern;
  report.description = marked_ ? "hm_iteration()" : finder_.describe(*main_);
  report.iterations = loop.iterations;
  report.first_iteration = loop.total.begin - start_;
  report.total = loop.total.end - loop.total.begin;
  return report;
}

} // namespace hypermile::runtime
