#pragma once

#include "runtime/loop/found_loop.hpp"
#include "runtime/loop/period_search.hpp"
#include "runtime/loop/resemblance.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hypermile::runtime {

/// Finds the outermost loop of what repeats in the stream of a rank's MPI calls, online.
///
/// A token (a call, some calls in a row, the place of a call) that comes back after a long while
/// may be the anchor of a loop. If the calls since then equal those before, the loop has repeated
/// exactly. If not, then when it comes back again: its iterations have to consist of much the same
/// calls in much the same order, whatever the trip counts of inner loops.
class LoopFinder {
public:
  LoopFinder();

  enum class Step { none, iteration, other_loop };
  /// Feeds the next call. Whether an iteration of the main loop is complete now, or another loop
  /// has become the main loop (which may have been none).
  Step add(CallSignature detail, CallSignature place, const Span& span);

  /// Whether calls since this was last asked took more than a look at the call itself.
  [[nodiscard]] bool take_effort() { return std::exchange(effort_, false); }

  /// The last call once more: both count as one.
  void add_to_last(const Span& span);

  [[nodiscard]] const std::optional<FoundLoop>& main() const { return main_; }
  [[nodiscard]] const CallWindow& window() const { return window_; }
  /// Whether the last loop that became the main one is not around the one before.
  [[nodiscard]] bool is_new_phase() const { return new_phase_; }
  /// Of the main loop, counted from 0. A loop that comes back has the one that it had.
  [[nodiscard]] std::size_t phase() const { return main_ ? main_->phase : 0; }
  /// Whether it then does what that one did, in calls with other sizes or partners: a program that
  /// has rebuilt its data, say.
  [[nodiscard]] bool goes_on() const { return goes_on_; }
  /// Whether the last iteration of the main loop made the same calls as the one before.
  [[nodiscard]] bool is_equal() const { return equal_ > 0; }
  /// Whether the iterations of the main loop turned out to be unlike: it is none.
  [[nodiscard]] bool is_doubtful() const { return unlike_ >= 2; }
  /// E.g. "12 MPI calls + loop of (3 MPI calls)": the last iteration of the main loop.
  [[nodiscard]] std::string describe() const;

private:
  static constexpr double much_longer = 1.5;
  static constexpr std::size_t compared = 8; ///< iterations

  /// A loop that was the main one, and may come back.
  struct FormerLoop {
    FoundLoop loop;
    double calls;         ///< in one of its iterations
    double time;          ///< that its iterations made up, in s
    std::size_t seen = 0; ///< call: the last one with its anchor
  };

  void intern(CallSignature detail, CallSignature place, const Span& span);
  Symbol number(CallSignature detail, CallSignature place);
  void forget();
  bool follow(Symbol call);
  [[nodiscard]] bool restart();
  void remember_means();
  void check_main();
  [[nodiscard]] bool search();
  [[nodiscard]] bool goes_on_steadily() const;
  void note_gap(std::size_t gap);
  void catch_up(std::size_t end);
  [[nodiscard]] bool says_more(Grain grain, Symbol call) const {
    return !is_of_places(grain) || calls_of_place_[place_of_[call]] > 1;
  }
  [[nodiscard]] bool is_alive() const;
  [[nodiscard]] bool is_stale(double lengths) const;
  [[nodiscard]] bool is_long(std::size_t gap) const;
  [[nodiscard]] bool propose(Grain grain, std::size_t period);
  [[nodiscard]] bool repeated(const PeriodicRun& run);
  [[nodiscard]] bool returned(Grain grain, const Recurrences::Gaps& gaps);
  [[nodiscard]] double single_share(const FoundLoop& candidate) const;
  [[nodiscard]] bool is_now_and_then(const FoundLoop& candidate, const Resemblance& alike);
  [[nodiscard]] double covered(const FoundLoop& loop) const;
  [[nodiscard]] bool takes_over(const FoundLoop& candidate) const;
  [[nodiscard]] bool is_chance(const FoundLoop& candidate) const;
  [[nodiscard]] bool gives_way();
  [[nodiscard]] bool comes_back();
  [[nodiscard]] bool is_apart(const FoundLoop& candidate) const;
  [[nodiscard]] bool does_the_same(const FoundLoop& candidate, const FoundLoop& as,
                                   double calls) const;
  [[nodiscard]] std::vector<Symbol> places_of(const FoundLoop& loop) const;
  void enter_phase(FoundLoop& candidate);
  [[nodiscard]] std::uint64_t hash(std::size_t from, std::size_t to) const;
  void displace(FoundLoop candidate, std::size_t trial_end);
  void become_main(FoundLoop candidate);
  void install(FoundLoop loop);
  /// `together`: so many iterations are compared with as many.
  [[nodiscard]] Resemblance resemblance(const FoundLoop& loop, bool by_place,
                                        std::size_t together = 1);

  SymbolTable calls_, places_;
  std::vector<Symbol> place_of_;              ///< by call
  std::vector<std::uint32_t> calls_of_place_; ///< different ones
  CallWindow window_;
  TokenStream tokens_;
  std::vector<Recurrences> recurrences_; ///< by grain
  PeriodSearch periods_;
  std::size_t gap_ = 0;       ///< since the last call was there before
  std::size_t gap_run_ = 0;   ///< so many calls in a row had that gap
  std::size_t steady_ = 0;    ///< period of the calls; 0: none that is known
  std::size_t unvisited_ = 0; ///< the last calls, which recurrences_ have not been told of
  IterationComparison compare_;
  double begin_ = 0;          ///< of the first call, in s
  double credit_;             ///< calls that may be looked at
  bool effort_ = false;       ///< as take_effort()
  std::size_t look_from_ = 0; ///< no candidate is compared before this call

  std::optional<FoundLoop> main_;
  std::vector<FormerLoop> former_;     ///< the last one that was left at the end
  std::size_t phases_ = 1;             ///< so far
  std::optional<FoundLoop> displaced_; ///< what the main loop took the place of, and may come back
  std::size_t trial_end_ = 0;          ///< call, up to which the main loop has to repeat exactly
  double length_ = 0;                  ///< mean of its iterations, in s
  double calls_per_iteration_ = 0;
  double longest_ = 0; ///< call since its last iteration, in s
  bool new_phase_ = false;
  bool goes_on_ = false;
  std::size_t found_iterations_ = 0; ///< of the main loop, when it was found
  double found_calls_ = 0;           ///< in one of these
  // The iteration of the main loop that is under way:
  std::uint64_t hash_ = 0;
  std::uint64_t last_hash_ = 0;
  std::size_t period_ = 0;   ///< calls in the last one
  int equal_ = 0;            ///< iterations in a row that equal the one before
  int unlike_ = 0;           ///< checks in a row that found no resemblance
  std::size_t check_at_ = 0; ///< iterations
};

} // namespace hypermile::runtime
