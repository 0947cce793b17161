#pragma once

#include "runtime/exchange/run_report.hpp"
#include "runtime/loop/loop_finder.hpp"
#include "runtime/loop/repetition.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace hypermile::runtime {

/// Decides which loop is the program's main loop, and when it has been measured.
///
/// What LoopFinder finds is trusted once it makes up some of the time since MPI_Init, so that a
/// short set-up loop is not, and most of the time since its own begin. Of a loop that only the
/// places of its calls show more is asked: many a program calls MPI from one place only, and what
/// repeats there is no iteration. A program that marks its iterations (hm_iteration) is believed at
/// once.
class LoopWatch {
public:
  struct Call {
    CallSignature place;  ///< function and call site
    CallSignature detail; ///< these, partner and size
    /// The program repeats it as often as time has it, so that repetitions in a row count as one.
    bool repeats_by_time = false;
  };

  explicit LoopWatch(Seconds start, const Repetition& repetition = {})
      : start_(start), repetition_(repetition) {}

  /// Returns true when an iteration of the main loop has been completed.
  bool add_call(const Call& call, const Span& span);
  /// A new iteration begins now. `computed`: since the last call. Returns as add_call().
  bool mark_iteration(const Span& computed);
  /// As LoopFinder's.
  [[nodiscard]] bool take_effort() { return finder_.take_effort(); }

  /// True with the first complete iteration that the program marks, or the second of a loop that
  /// was found; then whenever there are half as many again, one more at least; or as often as the
  /// repetition says. And once more after look_again(). Only where a loop took over that is around
  /// the last one, or was known before, there are news before an iteration is complete in the
  /// present gear: for one of an outer loop all would wait for long.
  bool take_news();
  /// Mean of one iteration of the main loop; only after take_news(). Its computation in gear 0
  /// is the mean of all iterations, the rest that of those measured in the present gear; all is
  /// where iterations may change. Where none was measured in it, all is the mean of all.
  [[nodiscard]] Span mean_iteration() const;
  /// Whether there are iterations that tell what those to come are like.
  [[nodiscard]] bool has_mean() const {
    return found() && (loop_.measured_iterations > 0 || (!has_changed_ && loop_.iterations > 0));
  }
  /// Standard error of its length; 0 where fewer than two were measured.
  [[nodiscard]] Seconds deviation() const;
  /// Iterations measured in the present gear, and all of them together.
  [[nodiscard]] std::size_t measured_iterations() const;
  [[nodiscard]] Span measured() const;
  /// How often a loop became the main loop.
  [[nodiscard]] std::size_t takeovers() const { return takeovers_; }
  /// When the first of the iterations began of which mean_iteration() tells; only after
  /// take_news().
  [[nodiscard]] Seconds measured_since() const { return told().span.begin; }
  /// The last complete iterations of the main loop, oldest first, in whatever gears they ran: some
  /// hundreds at least, if there are so many; only after take_news().
  [[nodiscard]] const std::vector<Iteration>& last_iterations() const { return loop_.last; }
  /// Of each of the last ones, so many at most; the share were it computed in gear 0.
  [[nodiscard]] std::vector<Computed> last_computed(std::size_t most) const;
  /// As mean_iteration()'s.
  [[nodiscard]] Seconds mean_length() const;
  /// MPI calls in one iteration of the main loop, on average.
  [[nodiscard]] double mean_calls() const;
  /// Changes where the main loop gives way to one that does not enclose it; a loop that comes back
  /// has the one that it had.
  [[nodiscard]] std::size_t phase() const { return phase_; }
  /// Iterations of the main loop so far.
  [[nodiscard]] std::size_t iterations() const;

  /// The gear has changed: iterations that began before no longer count as measured.
  void measure_afresh();
  /// The iterations are no longer what they were: earlier ones say nothing of those to come.
  void begin_level();
  /// For so long calls were not told: the main loop may have gone on, and the iteration under way
  /// is none.
  void pass_unwatched(Seconds time) {
    usual_ += trusted_ ? time.value() : 0;
    pass_over();
  }
  /// The gear has changed for a while: the iteration under way does not count as measured.
  void pass_over() { fresh_ = false; }
  /// There are news once so many iterations of the main loop have been measured in the present
  /// gear; or fewer, where their length is well known.
  void look_again(std::size_t iterations = 1) { look_again_ = iterations; }
  /// There are none before so many iterations, unless another main loop takes over.
  void wait_for(std::size_t iterations) { next_news_ = std::max(next_news_, iterations); }
  [[nodiscard]] LoopReport report() const;
  /// Of each phase, by when it began, all times that the program was in it together.
  [[nodiscard]] std::vector<LoopReport> phases() const;

private:
  /// What means are of.
  struct Told {
    const Span& span;
    double iterations;
  };

  [[nodiscard]] bool found() const { return marked_ || trusted_; }
  [[nodiscard]] Told told() const;
  void leave();
  void count_again();
  void count_on();
  [[nodiscard]] Span under_way_before(std::size_t call) const;
  void count_since(std::size_t first);
  void count(const Span& iteration, bool fresh, bool equal);
  [[nodiscard]] bool is_trustworthy(Seconds now) const;
  void trust(Seconds now);
  void take_over(std::size_t iterations);

  Seconds start_;
  Repetition repetition_;
  LoopFinder finder_;
  std::optional<CallSignature> last_place_; ///< of the last call; none: there is none
  bool marked_ = false;                     ///< the program marks its iterations
  bool trusted_ = false;                    ///< the loop that was found
  Loop loop_;                               ///< marked or found
  Span under_way_;                          ///< since the last iteration
  bool has_changed_ = false;                ///< begin_level() was called for the loop
  bool fresh_ = true;                       ///< it began after measure_afresh()
  std::size_t fresh_from_ = 0;              ///< call: the first one after measure_afresh()
  double typical_ = 0;                      ///< length of an iteration, in s: about the median
  double usual_ = 0; ///< time in iterations that are not much longer, or make equal calls
  std::size_t phase_ = 0;
  std::vector<LoopReport> left_; ///< loops that the program has left, oldest first
  std::string description_;      ///< of the main loop, when it became that
  std::size_t takeovers_ = 0;
  std::optional<std::size_t> look_again_; ///< after so many iterations in the present gear
  std::size_t next_news_ = 0;             ///< iterations
  bool is_around_last_ = false;           ///< the main loop is, or does what that one did
  bool is_news_itself_ = false;           ///< it took over, and nobody has been told of it yet
  std::size_t known_before_ = 0;          ///< of them, when the program was in the loop before
};

} // namespace hypermile::runtime
