#pragma once

#include "runtime/loop_finder.hpp"
#include "runtime/messages.hpp"

#include <optional>

namespace hypermile::runtime {

/// Decides which loop is the program's main loop, and when it has been measured.
///
/// A loop is trusted once it has repeated and makes up some of the time since MPI_Init, so that
/// a short set-up loop is not. An enclosing loop takes its place when it has been seen twice; a
/// different loop when it, too, makes up some of the time (a new phase). A program that marks
/// its iterations (hm_iteration) is believed at once.
class LoopWatch {
public:
  explicit LoopWatch(Seconds start) : start_(start) {}

  /// Returns true when an iteration of the main loop has been completed.
  bool add_call(CallSignature signature, const Span& span);
  /// A new iteration begins now. `computed`: since the last call. Returns as add_call().
  bool mark_iteration(const Span& computed);

  /// True once for every main loop that has been found and measured.
  bool take_news();
  /// Mean of one measured iteration of the main loop; only after take_news().
  [[nodiscard]] Span mean_iteration() const;
  /// Iterations of the main loop so far.
  [[nodiscard]] std::size_t iterations() const;

  /// The gear has changed: iterations that began before no longer count as measured.
  void measure_afresh();
  [[nodiscard]] LoopReport report() const;

private:
  void consider(LoopId id, Seconds now);
  [[nodiscard]] bool trusted(const Loop& loop, Seconds now) const;
  [[nodiscard]] const Loop& main() const;

  Seconds start_;
  LoopFinder finder_;
  std::optional<LoopId> main_;
  bool news_ = false;
  // A program that marks its iterations:
  bool marked_ = false;
  bool fresh_ = true; ///< the iteration under way began after measure_afresh()
  Loop marker_loop_;
  Span under_way_;
};

} // namespace hypermile::runtime
