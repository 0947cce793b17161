#pragma once

#include "model/timeline.hpp"
#include "runtime/record/operation_table.hpp"
#include "units/quantity.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace hypermile::runtime {

/// Keeps what one rank does and when as a model::RankTimeline. Knows no MPI: it is told what the
/// calls of the program mean, call by call, and how long they took.
class Recorder {
public:
  /// What happens where there are more events than are kept.
  enum class WhenFull : bool {
    stop,  ///< nothing more is recorded
    forget ///< the older half goes; only the numbers of the events that it had are remembered
  };
  struct Memory {
    std::size_t most_events; ///< 16 bytes each
    WhenFull when_full;
  };
  /// The whole run: 64 MB per rank, and more MPI calls than most programs make in an hour. What
  /// comes later repeats what was before, or the program is not one whose every call can be kept.
  static constexpr Memory whole_run{4'000'000, WhenFull::stop};
  /// Of each of so many ranks, to repeat the run: 100,000,000 events in all, or whole_run where
  /// that is more.
  static constexpr Memory whole_run_of(std::size_t ranks) {
    constexpr std::size_t most_of_all = 100'000'000;
    return {std::max(whole_run.most_events, most_of_all / ranks), WhenFull::stop};
  }
  /// The latest part of a run of any length: 16 MB per rank.
  static constexpr Memory latest{std::size_t{1} << 20, WhenFull::forget};
  /// The number of no event: what add() returns where nothing is kept any more.
  static constexpr std::uint64_t no_event = ~std::uint64_t{0};

  /// `begin`: of the computation before the first call.
  explicit Recorder(Seconds begin, const Memory& memory = whole_run);

  /// An event of the MPI call under way. Returns its number, by which it can be completed and
  /// amended. Events are numbered from 0 on, those that are forgotten included.
  std::uint64_t add(const model::Operation& operation);
  /// The call under way, of this function, completes what event `started` began. Nothing happens
  /// for no_event; the completion of a forgotten one is an Action::other, as in model::cut().
  void complete(std::uint16_t function, std::uint64_t started);
  /// Operation::site and Operation::detail of the events that follow.
  void at(std::uint32_t site, std::uint32_t detail) {
    site_ = site;
    detail_ = detail;
  }
  /// Operation::arguments of these.
  std::uint32_t number(const model::Arguments& arguments);
  /// What an earlier event did, known only now. Nothing happens for no_event.
  void amend(std::uint64_t event, const model::Operation& operation);

  /// The program computed, and then did something that is no event.
  void compute(Seconds computation) { computed_ += computation; }
  /// The same in the platform's unit, for RankTimeline::work: before the next call.
  void compute(Work work) {
    keeps_work_ = true;
    work_ += work;
  }
  /// Since the last call hypermile itself needed this time, which is in no computation.
  void pause(Seconds length);
  enum class Poll : bool { no, yes };
  /// The number that the next call's first event gets, or the one of the call under way has.
  [[nodiscard]] std::uint64_t first_event() const { return forgotten_ + call_begin_; }
  /// The call under way is over. One without events is an event of its own, Action::other.
  /// `computation`: before it, since the last end_call() or compute(). A poll that found nothing
  /// is added to the one before it if that is the same, so that spinning costs no memory.
  void end_call(std::uint16_t function, Poll poll, Seconds computation, Seconds duration);

  /// Whether the last call was a poll that found nothing.
  [[nodiscard]] bool polled_in_vain() const { return last_poll_.there; }
  /// Whether the program has taken a message from whoever came first.
  [[nodiscard]] bool took_from_any() const { return took_from_any_; }
  /// What is computed from now on takes so many times as long as in gear 0. 1 to begin with.
  void set_scale(double scale);

  /// From the call under way on, nothing is kept. The first reason counts.
  void stop(std::string reason);
  [[nodiscard]] bool stopped() const { return !timeline_.incomplete.empty(); }
  /// Why; empty: it goes on.
  [[nodiscard]] const std::string& incomplete() const { return timeline_.incomplete; }

  /// What is kept of the calls that began after this moment; the first events are left out
  /// where there are more than so many. `now`: on the rank's clock, of which recorded times can be
  /// behind by what no pause was worth recording.
  [[nodiscard]] model::RankTimeline since(Seconds from, Seconds now, std::size_t most_events) const;
  /// All that is kept. `computation_after`: since the last end_call() or compute().
  [[nodiscard]] model::RankTimeline take(Seconds computation_after);

private:
  std::uint32_t index_of(const model::Operation& operation) {
    return table_.index_of(operation, timeline_.operations);
  }
  std::uint32_t index_of(const model::Operation& operation, std::uint32_t site,
                         std::uint32_t detail);
  bool make_room();
  void forget(std::size_t events);
  void count(std::uint32_t operation);
  [[nodiscard]] std::vector<std::uint64_t> before(std::size_t event) const;
  [[nodiscard]] model::Part part_from(Seconds from) const;
  bool add_to_last_poll(std::uint16_t function, Seconds computation, Seconds duration);
  Seconds take_wait_of_last_poll();
  [[nodiscard]] Seconds pause_since_last_call() const;

  Memory memory_;
  std::uint32_t site_ = 0;
  std::uint32_t detail_ = 0;
  bool keeps_work_ = false;
  Work work_;                                         ///< before the call under way
  std::map<model::Arguments, std::uint32_t> numbers_; ///< of the arguments that were seen
  bool took_from_any_ = false;
  model::RankTimeline timeline_;
  OperationTable table_;
  std::vector<std::uint64_t> occurred_; ///< how often each operation has, forgotten ones included
  std::uint64_t forgotten_ = 0;         ///< events
  std::size_t call_begin_ = 0; ///< first event of the call under way, among those that are kept
  Seconds last_call_;          ///< when the one before the last was left, by the events' times
  Seconds end_;                ///< when the last was, and the pauses since then
  Seconds short_pauses_;       ///< since the last one that is recorded
  /// A call now and then, so that one may be found by its time.
  struct Mark {
    std::size_t event; ///< its first
    Seconds left;      ///< when the call before was
  };
  std::vector<Mark> marks_;
  Seconds computed_; ///< before the call under way, and not in its `computation`
  /// The last call, if it was a poll that found nothing. Sums of many: a float would not do.
  struct LastPoll {
    bool there = false;
    std::uint16_t function = 0;
    Seconds computation;
    Seconds duration;
  } last_poll_;
};

} // namespace hypermile::runtime
