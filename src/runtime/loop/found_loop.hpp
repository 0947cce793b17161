#pragma once

#include "runtime/loop/call_window.hpp"
#include "runtime/loop/token.hpp"

#include <span>
#include <vector>

namespace hypermile::runtime {

/// A loop in the stream of calls. Its iterations end with its anchor, wherever that is in them, so
/// that nothing depends on how often inner loops are repeated.
struct FoundLoop {
  Token anchor;
  bool exact = false;    ///< when it was found, two iterations were equal call by call
  bool by_place = false; ///< only the places of its calls repeat
  /// Calls with the anchor, ascending: the last ones, and one before the window at most.
  std::vector<std::size_t> boundaries;
  std::size_t iterations = 0; ///< complete
  std::size_t first_call = 0; ///< the first boundary of all
  double begin = 0;           ///< when that ended, in s
  double last = 0;            ///< when the last boundary ended
  // Since it is the main loop:
  std::size_t phase = 0;        ///< the same of loops that do the same work, or enclose each other
  std::vector<Symbol> places{}; ///< of the calls in one iteration, ascending

  [[nodiscard]] std::size_t last_call() const { return boundaries.back(); }
  /// Mean of an iteration, in s and in calls.
  [[nodiscard]] double length() const { return (last - begin) / static_cast<double>(iterations); }
  [[nodiscard]] std::size_t calls() const { return (last_call() - first_call) / iterations; }
  /// Median of the last ones, in s: one that was interrupted does not count.
  [[nodiscard]] double usual_length(const CallWindow& window) const;
  /// Those boundaries between which all calls are in the window.
  [[nodiscard]] std::span<const std::size_t> boundaries_in(const CallWindow& window) const;
  /// The last call of the window ends an iteration.
  void add_boundary(const CallWindow& window);
  /// Its iterations are those between the boundaries.
  void count_boundaries(const CallWindow& window);
};

/// The stream repeats itself: so many calls equal those a period before them.
struct PeriodicRun {
  std::size_t period = 0; ///< calls; 0: none
  std::size_t matched = 0;
  Token token;        ///< once in each period
  std::size_t at = 0; ///< call with the token
};

/// All that has been repeated exactly up to now. `places`: of each call.
[[nodiscard]] FoundLoop exact_loop(const CallWindow& window, std::span<const Symbol> places,
                                   const PeriodicRun& run);
/// What lies between the tokens in the window, from where on it has been repeated without a long
/// interruption.
[[nodiscard]] FoundLoop loop_between(const CallWindow& window, std::span<const Symbol> places,
                                     const Token& anchor);
/// Where a token of these grains, all of places, is once in each of its iterations, and few calls
/// before the anchor at most, that becomes the anchor: places come back even where sizes change.
void prefer_place(FoundLoop& loop, const CallWindow& window, std::span<const Symbol> places,
                  std::span<const Grain> of);

} // namespace hypermile::runtime
