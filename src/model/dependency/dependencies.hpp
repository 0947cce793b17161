#pragma once

#include "model/dependency/costs.hpp"
#include "model/dependency/schedule.hpp"
#include "model/dependency/step.hpp"

#include <span>
#include <utility>
#include <vector>

namespace hypermile::model::dependency {

/// From one event of a rank on it is in another gear, or has more or less to compute.
struct ScaleChange {
  std::uint32_t event = 0; ///< of the rank: the first whose computation is meant
  double scale = 1;        ///< S >= 1
  double work = 1;         ///< so many times as much to compute as was recorded
};

/// What a rank did between two changes of its scale.
struct Stage {
  double scale = 1;
  Seconds end;       ///< when the next one began, or the rank ended
  Seconds computing; ///< stretched
};

/// What a run takes with given gears.
struct Outcome {
  Seconds time;                   ///< from the begin of the first rank to the end of the last
  Seconds begin;                  ///< of the first rank
  std::vector<Seconds> ends;      ///< by rank: when it had done all
  std::vector<Seconds> computing; ///< by rank: computation, stretched
};

/// What a run takes whose gears change on the way.
struct StagedOutcome {
  Seconds time;
  Seconds begin;
  std::vector<std::vector<Stage>> stages; ///< by rank, in their order
};

/// A timeline as a program of steps in an order in which every step comes after those it waits
/// for. One pass over it gives the run with other gears: computation takes S times as long, and
/// everything else happens as soon as what it waits for is there and its own cost is over
/// (max-plus algebra). Of computation that reacts less to gears a part takes S times as long, and
/// the rest what it takes in gear 0 (see stretch()). Messages keep their costs; links that saturate
/// are not seen.
class Dependencies {
public:
  explicit Dependencies(const Timeline& timeline, const Protocol& assumed = {});
  /// The same from what has been found of it already.
  Dependencies(const Matching& matching, const Calls& calls, const Costs& costs);

  [[nodiscard]] std::size_t ranks() const { return begins_.size(); }
  [[nodiscard]] std::size_t step_count() const { return steps_.size(); }
  [[nodiscard]] const Protocol& protocol() const { return protocol_; }
  /// Computation of each rank in gear 0.
  [[nodiscard]] std::span<const Seconds> computation() const { return computation_; }
  /// The same with this scale.
  [[nodiscard]] Seconds computing(std::size_t rank, double scale) const {
    return scaled_[rank] * scale + (computation_[rank] - scaled_[rank]);
  }
  /// The part of it that takes S times as long.
  [[nodiscard]] Seconds scaled(std::size_t rank) const { return scaled_[rank]; }

  /// The timeline is of a loop that goes on: in the long run its time is not less than any rank
  /// needs to compute so long (in gear 0), however far it was ahead of others when the recording
  /// began. `computation`: by rank, as much as was recorded of the loop has of it on the average.
  void last_at_least(std::vector<Seconds> computation) { lasting_ = std::move(computation); }

  /// The timeline is of some iterations of a loop that goes on, of which some ranks had begun
  /// theirs long before others: all are taken to begin at this moment. However far a rank is ahead,
  /// it is so once.
  void begin_at(Seconds moment) { begins_.assign(begins_.size(), moment.value()); }

  /// Reused from pass to pass, so that a pass allocates nothing. Not for two threads at once.
  class Workspace {
    friend class Dependencies;
    std::vector<double> clocks_;
    std::vector<double> slots_;
    std::vector<double> scales_;
  };

  /// The time of the whole timeline with the scale S >= 1 of each rank's gear.
  [[nodiscard]] Seconds time(std::span<const double> scales, Workspace& workspace) const;
  /// The same with all that can be told of it.
  [[nodiscard]] Outcome outcome(std::span<const double> scales) const;
  /// With scales that change on the way: by rank, ascending by event. Before the first: S = 1.
  [[nodiscard]] StagedOutcome staged(std::span<const std::vector<ScaleChange>> changes) const;

  /// A step of a path that no rank can shorten without shortening the run.
  struct PathStep {
    std::uint32_t rank = 0;
    std::uint32_t event = nothing; ///< of the rank; `nothing`: what it computes after its last
    bool waited = false;           ///< it began when what it waited for was there
    std::uint32_t from = 0;        ///< whose step came before on the path
    Seconds computing;             ///< stretched
    Seconds inside;                ///< cost of a message, a collective operation or a call
    Seconds end;                   ///< when it was over
  };
  struct Path {
    Seconds begin;               ///< of its first step
    std::vector<PathStep> steps; ///< each begins where the one before it ends
  };
  /// The longest path with these scales: what the time consists of.
  [[nodiscard]] Path critical_path(std::span<const double> scales) const;
  /// By rank: computation on that path in gear 0, as far as it takes S times as long: the slope of
  /// time against S.
  [[nodiscard]] std::vector<Seconds> critical_computing(std::span<const double> scales) const;
  /// By how much what a rank does can be late before the run takes longer.
  struct Slack {
    Seconds least;   ///< whatever it is
    Seconds typical; ///< the median over its stretches of computation
  };
  [[nodiscard]] std::vector<Slack> slack(std::span<const double> scales) const; ///< by rank

  /// What a rank did in a run. The sum is the time of the run.
  struct Account {
    Seconds computing; ///< stretched
    Seconds inside;    ///< costs of messages and calls that it waited for
    Seconds waiting;   ///< until others had sent, received or arrived, or ended
  };
  [[nodiscard]] std::vector<Account> accounts(std::span<const double> scales) const; ///< by rank
  /// When each rank did what in such a run; the sums are those of the accounts, but for the waiting
  /// before a rank begins and after it has ended. `timeline`: that this was made of.
  [[nodiscard]] Schedule schedule(const Timeline& timeline, std::span<const double> scales) const;

private:
  friend class Compiler;
  struct History;
  [[nodiscard]] History remember(std::span<const double> scales) const;
  [[nodiscard]] static std::uint32_t deciding_slot(const Step& step, double ready,
                                                   const Workspace& workspace);
  [[nodiscard]] PathStep path_step(std::uint32_t step, const History& history,
                                   std::span<const double> scales) const;
  /// Until when a step that has been run, from `ready` to `done`, waited for others.
  [[nodiscard]] static double waited_until(const Step& step, double ready, double done,
                                           const Workspace& workspace);
  void start(Workspace& workspace) const;
  void run(std::size_t from, std::size_t to, Workspace& workspace) const;
  template <class Fixed>
  void run(std::size_t from, std::size_t to, Workspace& workspace, const Fixed& fixed) const;
  /// What the step takes in computing, before its cost.
  [[nodiscard]] double stretched(std::size_t step, double scale) const {
    return static_cast<double>(steps_[step].computation) * scale + fixed(step);
  }
  [[nodiscard]] double fixed(std::size_t step) const {
    return fixed_.empty() ? 0 : static_cast<double>(fixed_[step]);
  }
  [[nodiscard]] Seconds after(std::size_t rank, double scale) const {
    return Seconds{after_[rank] * scale + after_fixed_[rank]};
  }
  [[nodiscard]] Seconds begin() const;
  [[nodiscard]] Seconds lasting_time(std::span<const double> scales) const;
  [[nodiscard]] Seconds lasting_time(const StagedOutcome& outcome) const;
  [[nodiscard]] Seconds lasting(std::size_t rank, double scale) const;

  Protocol protocol_;
  std::vector<Step> steps_;
  /// By step: s of computation that take the same in every gear. Empty: there are none.
  std::vector<float> fixed_;
  std::vector<EventIndex> event_of_; ///< by step
  std::vector<EventIndex> first_;    ///< by rank: its first event
  std::size_t slots_ = 0;
  std::vector<double> begins_; ///< by rank
  std::vector<double> after_;  ///< by rank: computation after the last event that takes S times
  std::vector<double> after_fixed_; ///< and that takes the same in every gear
  std::vector<Seconds> computation_;
  std::vector<Seconds> scaled_;  ///< the part of it that takes S times as long
  std::vector<Seconds> lasting_; ///< by rank; empty: the timeline is all there is
};

} // namespace hypermile::model::dependency
