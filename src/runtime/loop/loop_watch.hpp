#pragma once

#include "runtime/exchange/messages.hpp"
#include "runtime/loop/loop_finder.hpp"
#include "runtime/loop/repetition.hpp"

#include <array>
#include <limits>
#include <optional>

namespace hypermile::runtime {

/// Decides which loop is the program's main loop, and when it has been measured.
///
/// A loop is trusted once it has repeated and makes up some of the time since MPI_Init, so that
/// a short set-up loop is not. Calls are told apart by function, call site, partner and size
/// first. A program whose partners or sizes keep changing has no loop at that level; then function
/// and call site alone must do, with more of them to see before they are trusted: many a program
/// calls MPI from one place only, and what repeats there is no iteration. An enclosing loop takes
/// its place when it has been seen twice; a different loop when it, too, makes up some of the time
/// (a new phase). A program that marks its iterations (hm_iteration) is believed at once.
class LoopWatch {
public:
  struct Call {
    CallSignature place;  ///< function and call site
    CallSignature detail; ///< these, partner and size
  };

  explicit LoopWatch(Seconds start, const Repetition& repetition = {})
      : start_(start), repetition_(repetition) {}

  /// Returns true when an iteration of the main loop has been completed.
  bool add_call(const Call& call, const Span& span);
  /// A new iteration begins now. `computed`: since the last call. Returns as add_call().
  bool mark_iteration(const Span& computed);

  /// True once for every main loop that has been found and measured in the present gear, and
  /// again whenever it has been repeated half as often again: one iteration is a small sample; or
  /// as often as the repetition says. And once more after look_again().
  bool take_news();
  /// Mean of one iteration of the main loop; only after take_news(). Its computation in gear 0
  /// is the mean of all iterations, the rest that of those measured in the present gear; all is
  /// where iterations may change.
  [[nodiscard]] Span mean_iteration() const;
  /// Standard error of its length; 0 where fewer than two were measured.
  [[nodiscard]] Seconds deviation() const;
  /// Iterations measured in the present gear, and all of them together.
  [[nodiscard]] std::size_t measured_iterations() const;
  [[nodiscard]] Span measured() const;
  /// How often a loop became the main loop.
  [[nodiscard]] std::size_t takeovers() const { return takeovers_; }
  /// When the first of the iterations began that were measured in the present gear; only after
  /// take_news().
  [[nodiscard]] Seconds measured_since() const { return main().measured.begin; }
  /// The last complete iterations of the main loop, oldest first, in whatever gears they ran: some
  /// hundreds at least, if there are so many; only after take_news().
  [[nodiscard]] const std::vector<Iteration>& last_iterations() const { return main().last; }
  /// Of one of the measured iterations, on average; only after take_news().
  [[nodiscard]] Seconds mean_length() const;
  /// MPI calls in one iteration of the main loop, on average.
  [[nodiscard]] double mean_calls() const;
  /// How often the main loop gave way to one that does not enclose it.
  [[nodiscard]] std::size_t phase() const { return phase_; }
  /// Iterations of the main loop so far.
  [[nodiscard]] std::size_t iterations() const;

  /// The gear has changed: iterations that began before no longer count as measured.
  void measure_afresh();
  /// There are news once the main loop has been measured long enough in the present gear.
  void look_again() { look_again_ = true; }
  [[nodiscard]] LoopReport report() const;

private:
  enum Level : std::size_t { by_detail, by_place };
  struct LoopAt {
    Level level;
    LoopId id;
    bool operator==(const LoopAt&) const = default;
  };
  void consider(LoopAt candidate, Seconds now);
  [[nodiscard]] bool takes_over(LoopAt candidate, Seconds now) const;
  [[nodiscard]] const Loop& loop(LoopAt at) const { return finders_[at.level].loop(at.id); }
  [[nodiscard]] const Loop& main() const { return marked_ ? marker_loop_ : loop(*main_); }

  Seconds start_;
  Repetition repetition_;
  std::array<LoopFinder, 2> finders_; ///< by Level
  std::optional<LoopAt> main_;
  std::size_t phase_ = 0;
  std::size_t takeovers_ = 0;
  bool news_ = false;
  bool look_again_ = false;
  std::size_t next_news_ =
      std::numeric_limits<std::size_t>::max(); ///< iterations of the main loop that make news by
                                               ///< themselves
  // A program that marks its iterations:
  bool marked_ = false;
  bool fresh_ = true; ///< the iteration under way began after measure_afresh()
  Loop marker_loop_;
  Span under_way_;
};

} // namespace hypermile::runtime
