#pragma once

#include "model/sensitivity.hpp"
#include "units/quantity.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hypermile::model {

/// What a rank does with respect to others. A blocking MPI call is a start and its completion: an
/// MPI_Recv is `receive, complete`, an MPI_Allreduce `arrive, complete`, an MPI_Sendrecv
/// `receive, send, complete, complete`, an MPI_Waitall of two requests `complete, complete`.
enum class Action : std::uint8_t {
  send,     ///< hands over a message
  receive,  ///< posts a receive
  arrive,   ///< joins a collective operation
  complete, ///< waits for an earlier send, receive or arrive of its own
  probe,    ///< waits for a message without receiving it (MPI_Probe, an MPI_Iprobe that finds one)
  other     ///< a call that waits for nobody, or nobody knows for whom
};

/// Which ranks of a collective operation wait for which.
enum class Shape : std::uint8_t {
  none,      ///< not a collective operation
  all,       ///< each for all: Barrier, Allreduce, Allgather, Alltoall, making a communicator
  from_root, ///< each for the root: Bcast, Scatter
  to_root,   ///< the root for all: Gather, Reduce
  scan,      ///< each for those of lower rank: Scan, Exscan
  neighbours ///< each for its neighbours in a topology; treated as `all` where these are unknown
};

/// What an event does, apart from when. Events that repeat share it.
struct Operation {
  Action action = Action::other;
  Shape shape = Shape::none;
  std::uint16_t function = 0;     ///< the MPI function, an index into Timeline::functions
  std::int32_t partner = -1;      ///< send: to; receive, probe: from whom it came; rooted
                                  ///< collectives: the root. A rank of MPI_COMM_WORLD; -1: nobody
  std::int32_t tag = 0;           ///< of messages, as it was matched
  std::uint32_t members = 0;      ///< arrive: ranks of the communicator
  std::uint64_t communicator = 0; ///< the same number on all its members, and no other's
  std::uint64_t bytes = 0;        ///< of the message; arrive: what this rank contributes
  bool from_any = false;          ///< receive, probe: the program took it from whoever came first
  std::uint32_t site = 0; ///< where in the program it is called: by function, from 1; 0: unknown
  // What only who repeats the call needs to know; 0 where nobody asked.
  std::uint32_t detail = 0;    ///< the same number for the same numbers among the arguments
  std::uint32_t arguments = 0; ///< number in RankTimeline::arguments, from 1 on
  bool operator==(const Operation&) const = default;
};

/// The arguments of a collective call, as its rank passed them: what MPI's algorithm depends on.
struct Arguments {
  /// So many elements to or from each member; one number where it is the same for all, none where
  /// the argument means nothing on this rank.
  struct Blocks {
    std::uint32_t element = 0; ///< bytes
    std::vector<std::uint64_t> counts;
    auto operator<=>(const Blocks&) const = default;
  };
  bool in_place = false; ///< what is sent lies where what is received goes
  Blocks out;            ///< what is sent, or reduced
  Blocks in;             ///< what is received
  /// The communicator that the call makes: its number as in Operation::communicator, and the world
  /// ranks of its members, in their order; 0: none, or this rank is no member.
  std::uint64_t made = 0;
  std::vector<std::uint32_t> members;
  auto operator<=>(const Arguments&) const = default;
};

/// One event of a rank. Times are as they passed: computation stretched by the rank's gear.
struct Event {
  std::uint32_t operation = 0;     ///< index into RankTimeline::operations
  std::uint32_t started : 31 = 0;  ///< complete: what it completes began so many events before
  std::uint32_t ends_call : 1 = 0; ///< the last event of its MPI call
  float computation = 0;           ///< s since the last call; the first event of a call has it
  float duration = 0;              ///< s inside MPI; the last event of a call has it
};

/// The events of one rank, in its program's order.
struct RankTimeline {
  Seconds begin; ///< of the computation before the first event
  std::vector<Operation> operations;
  std::vector<Arguments> arguments; ///< of collective operations; empty where nobody asked
  std::vector<Event> events;
  /// What was computed before each call, and after the last, in the platform's unit; whole numbers.
  /// Empty where nobody asked.
  std::vector<Work> work;
  Seconds computation_after; ///< the last event
  double scale = 1;          ///< S of the gear that the rank was in, at the end at least
  /// What was computed before an event was computed in a gear with this S.
  struct EarlierScale {
    std::uint32_t end = 0; ///< the first event that is not meant
    double scale = 1;      ///< S >= 1
    bool operator==(const EarlierScale&) const = default;
  };
  /// Where the gear was changed on the way: ascending by `end`, each from the end of the one before
  /// it; from the last on, it is `scale`.
  std::vector<EarlierScale> earlier;
  /// How much the computation before events of each operation reacts to gears: see stretch().
  /// Where there is no entry, and after the last event: `sensitivity_otherwise`.
  std::vector<double> sensitivity{};
  double sensitivity_otherwise = 1;
  /// Before a call the clock went on but the program did not: hypermile itself needed the time.
  struct Pause {
    std::uint32_t before = 0; ///< the first event of the call; the pause is before its computation
    Seconds length;           ///< more than 0
    bool operator==(const Pause&) const = default;
  };
  std::vector<Pause> pauses{}; ///< ascending by `before`
  /// How often each operation had occurred before the first event; empty: never.
  std::vector<std::uint64_t> before;
  /// Why the events are not all there (a bound, a function that cannot be followed); empty: they
  /// are.
  std::string incomplete;
};

/// What all ranks of a program did and when, or of a part of the program. Clocks agree.
struct Timeline {
  std::vector<std::string> functions; ///< names without "MPI_", e.g. "Send"
  std::vector<RankTimeline> ranks;

  [[nodiscard]] bool complete() const;
};

/// Of all ranks.
[[nodiscard]] std::size_t event_count(const Timeline& timeline);

/// Throws Error{model}, naming the rank and the reason, for a timeline that has not all events.
void require_complete(const Timeline& timeline);

/// Follows the clock of a rank from event to event.
class RankClock {
public:
  struct Moments {
    Seconds begin;   ///< of the computation before the event
    Seconds entered; ///< its call
    Seconds left;    ///< its call, if it is the last event of that
  };
  explicit RankClock(const RankTimeline& rank) : rank_(&rank), now_(rank.begin) {}
  /// Of the next event; there has to be one.
  Moments next();

private:
  const RankTimeline* rank_;
  Seconds now_;
  std::size_t event_ = 0;
  std::size_t pause_ = 0;
};

/// S of the gear in which the rank computed what comes before this event.
[[nodiscard]] double gear_scale_before(const RankTimeline& rank, std::size_t event);

/// How much the computation before this event reacts to gears.
[[nodiscard]] double sensitivity_before(const RankTimeline& rank, std::size_t event);

/// How many times as long as in gear 0 that took.
[[nodiscard]] double scale_before(const RankTimeline& rank, std::size_t event);

/// The same of what the rank computed after its last event.
[[nodiscard]] double scale_after(const RankTimeline& rank);

/// What the rank computed before these events, had it been in gear 0.
[[nodiscard]] Seconds computed_in_gear0(const RankTimeline& rank, std::size_t first,
                                        std::size_t end);

/// How many events the rank had recorded before the timeline's first one.
[[nodiscard]] std::uint64_t events_before(const RankTimeline& rank);

/// How often each of the rank's operations had occurred before this event.
[[nodiscard]] std::vector<std::uint64_t> occurrences_before(const RankTimeline& rank,
                                                            std::size_t event);

/// When the rank had done all that the timeline holds.
[[nodiscard]] Seconds end(const RankTimeline& rank);

/// The calls that were entered from `from` on and left until `to`, with the computation before
/// them, and that after the last one until `to`. What is cut off is counted in `before`. A
/// completion of something that was started before becomes an `other`.
[[nodiscard]] RankTimeline cut(const RankTimeline& rank, Seconds from, Seconds to);

/// Some calls of a rank one after the other.
struct Part {
  std::size_t first = 0; ///< event, the first of its call
  std::size_t end = 0;   ///< event after the last
  Seconds begin;         ///< of the computation before the first, or of what shall be left of it
  Seconds entered;       ///< the first call; what it is does not matter where there is none
  Seconds after{};       ///< computation after the last
};

/// A part as a timeline of its own, as cut() makes it. `before`: of its operations, as there.
[[nodiscard]] RankTimeline extract(const RankTimeline& rank, const Part& part,
                                   std::vector<std::uint64_t> before);

} // namespace hypermile::model
