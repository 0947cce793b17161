#pragma once

#include "model/timeline.hpp"
#include "units/quantity.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hypermile::runtime {

/// Keeps what one rank does and when as a model::RankTimeline. Knows no MPI: it is told what the
/// calls of the program mean, call by call, and how long they took.
class Recorder {
public:
  /// 64 MB per rank, and more MPI calls than most programs make in an hour. What comes later
  /// repeats what was before, or the program is not one whose every call can be kept.
  static constexpr std::size_t default_most_events = 4'000'000;
  /// The number of no event: what add() returns where nothing is kept any more.
  static constexpr std::uint64_t no_event = ~std::uint64_t{0};

  /// `begin`: of the computation before the first call.
  explicit Recorder(Seconds begin, std::size_t most_events = default_most_events);

  /// An event of the MPI call under way. Returns its number, by which it can be completed and
  /// amended.
  std::uint64_t add(const model::Operation& operation);
  /// The call under way, of this function, completes what event `started` began. Nothing happens
  /// for no_event.
  void complete(std::uint16_t function, std::uint64_t started);
  /// What an earlier event did, known only now. Nothing happens for no_event.
  void amend(std::uint64_t event, const model::Operation& operation);

  /// The program computed, and then did something that is no event.
  void compute(Seconds computation) { computed_ += computation; }
  enum class Poll : bool { no, yes };
  /// The number that the next call's first event gets, or the one of the call under way has.
  [[nodiscard]] std::uint64_t first_event() const { return call_begin_; }
  /// The call under way is over. One without events is an event of its own, Action::other.
  /// `computation`: before it, since the last end_call() or compute(). A poll that found nothing
  /// is added to the one before it if that is the same, so that spinning costs no memory.
  void end_call(std::uint16_t function, Poll poll, Seconds computation, Seconds duration);

  /// From the call under way on, nothing is kept. The first reason counts.
  void stop(std::string reason);
  [[nodiscard]] bool stopped() const { return !timeline_.incomplete.empty(); }
  /// Why; empty: it goes on.
  [[nodiscard]] const std::string& incomplete() const { return timeline_.incomplete; }

  /// What was recorded of the calls that began after this moment; the first events are left out
  /// where there are more than so many. `now`: on the rank's clock, which goes on while hypermile
  /// itself needs time between two calls, as recorded times do not.
  [[nodiscard]] model::RankTimeline since(Seconds from, Seconds now, std::size_t most_events) const;
  /// All that was recorded. `computation_after`: since the last end_call() or compute().
  [[nodiscard]] model::RankTimeline take(Seconds computation_after);

private:
  std::uint32_t index_of(const model::Operation& operation);
  void grow();
  [[nodiscard]] std::size_t slot_of(const model::Operation& operation) const;
  bool add_to_last_poll(std::uint16_t function, Seconds computation, Seconds duration);

  std::size_t most_events_;
  model::RankTimeline timeline_;
  /// A hash table of the operations: index + 1, 0 where it is free; at most half full.
  std::vector<std::uint32_t> slots_;
  std::size_t call_begin_ = 0; ///< first event of the call under way
  Seconds computed_;           ///< before the call under way, and not in its `computation`
  /// The last call, if it was a poll that found nothing. Sums of many: a float would not do.
  struct LastPoll {
    bool there = false;
    std::uint16_t function = 0;
    Seconds computation;
    Seconds duration;
  } last_poll_;
};

} // namespace hypermile::runtime
