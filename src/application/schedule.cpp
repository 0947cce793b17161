#include "application/schedule.hpp"

#include "application/rank_calls.hpp"
#include "runtime/record/mixed.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <deque>
#include <limits>
#include <string>
#include <unordered_map>

namespace hypermile::application {
namespace {

using model::Action;
using model::Event;
using model::Operation;
using model::Shape;

constexpr std::uint32_t nobody_there = std::numeric_limits<std::uint32_t>::max();

/// One that was begun by a side at least.
struct Message {
  std::uint32_t sender = nobody_there; ///< has begun to send
  std::uint32_t receiver = nobody_there;
  std::uint32_t receive_event = 0;
  int left = 0; ///< sides that have completed it
  double sent = 0;
  double posted = 0;
  std::uint64_t bytes = 0;

  [[nodiscard]] bool matched() const { return sender != nobody_there && receiver != nobody_there; }
};

/// Messages from one rank to another with the same tag that wait for their other side.
struct Channel {
  std::vector<std::uint32_t> waiting{};
  std::size_t first = 0;
};

/// A collective operation of a group.
struct Meeting {
  std::uint32_t first = 0; ///< the rank that came first, and its event
  std::uint32_t first_event = 0;
  std::uint32_t arrived = 0;
  std::uint32_t left = 0;
  double last_arrival = 0;
  double root_arrival = 0;
  std::uint64_t bytes = 0; ///< the largest part
  std::vector<std::uint32_t> waiting{};
};

struct Meetings {
  std::deque<Meeting> open;
  std::uint32_t over = 0;                                   ///< before those
  std::unordered_map<std::uint32_t, std::uint32_t> arrived; ///< by rank: how often
};

/// What a rank has begun: a message or a meeting.
struct Begun {
  std::uint32_t event = 0;
  std::uint32_t number = 0;
  double at = 0;
};

struct RankState {
  std::size_t event = 0;
  std::size_t call = 0;
  bool in_call = false;
  bool blocked = false;
  double clock = 0;
  double entered = 0; ///< the call
  std::vector<Begun> begun;
  std::vector<std::uint32_t> variant; ///< by operation: the one with the bytes of the last receive
};

class Scheduler {
public:
  Scheduler(ModelRun& run, const Machine& machine)
      : run_(run), machine_(machine), states_(run.timeline.ranks.size()) {}

  void play() {
    for (std::uint32_t rank = static_cast<std::uint32_t>(states_.size()); rank-- > 0;)
      runnable_.push_back(rank);
    while (!runnable_.empty()) {
      const std::uint32_t rank = runnable_.back();
      runnable_.pop_back();
      states_[rank].blocked = false;
      advance(rank);
    }
    for (std::uint32_t rank = 0; rank < states_.size(); ++rank)
      if (states_[rank].blocked)
        refuse_deadlock(rank);
  }

private:
  [[nodiscard]] model::RankTimeline& timeline(std::uint32_t rank) {
    return run_.timeline.ranks[rank];
  }
  [[nodiscard]] const Operation& operation(std::uint32_t rank, std::size_t event) const {
    const model::RankTimeline& all = run_.timeline.ranks[rank];
    return all.operations[all.events[event].operation];
  }

  /// As far as the rank gets.
  void advance(std::uint32_t rank) {
    RankState& state = states_[rank];
    std::vector<Event>& events = timeline(rank).events;
    for (; state.event < events.size(); ++state.event) {
      Event& event = events[state.event];
      if (!state.in_call)
        enter(rank, event);
      if (!pass(rank, state.event)) {
        state.blocked = true;
        return;
      }
      if (event.ends_call == 1) {
        event.duration = static_cast<float>(state.clock - state.entered);
        state.in_call = false;
      }
    }
    const Seconds rest = timeline(rank).work.back() / machine_.speeds[rank];
    timeline(rank).computation_after = rest;
  }

  void enter(std::uint32_t rank, Event& event) {
    RankState& state = states_[rank];
    const Seconds computation = timeline(rank).work[state.call++] / machine_.speeds[rank];
    event.computation = static_cast<float>(computation.value());
    state.clock += computation.value();
    state.entered = state.clock;
    state.in_call = true;
  }

  /// Whether the rank can go on after this event.
  bool pass(std::uint32_t rank, std::size_t event) {
    RankState& state = states_[rank];
    const Operation& what = operation(rank, event);
    switch (what.action) {
    case Action::send:
    case Action::receive:
      begin_message(rank, static_cast<std::uint32_t>(event));
      return true;
    case Action::arrive:
      arrive(rank, static_cast<std::uint32_t>(event));
      return true;
    case Action::complete:
      return complete(rank, event);
    case Action::probe:
    case Action::other:
      state.clock += static_cast<double>(timeline(rank).events[event].duration);
      return true;
    }
    return true;
  }

  static std::uint64_t key(std::uint32_t from, std::uint32_t to, std::int32_t tag) {
    return (std::uint64_t{from} << 40U) ^ (std::uint64_t{to} << 16U) ^
           static_cast<std::uint64_t>(tag);
  }

  void begin_message(std::uint32_t rank, std::uint32_t event) {
    const Operation& what = operation(rank, event);
    const bool sends = what.action == Action::send;
    const auto partner = static_cast<std::uint32_t>(what.partner);
    Channel& channel =
        sends ? channels_[key(rank, partner, what.tag)] : channels_[key(partner, rank, what.tag)];
    const bool is_awaited =
        channel.first < channel.waiting.size() &&
        (sends ? messages_[channel.waiting[channel.first]].sender
               : messages_[channel.waiting[channel.first]].receiver) == nobody_there;
    const std::uint32_t number = is_awaited ? channel.waiting[channel.first] : new_message();
    Message& message = messages_[number];
    RankState& state = states_[rank];
    if (sends) {
      message.sender = rank;
      message.sent = state.clock;
      message.bytes = what.bytes;
    } else {
      message.receiver = rank;
      message.posted = state.clock;
      message.receive_event = event;
    }
    state.begun.push_back({event, number, state.clock});
    if (!is_awaited) {
      channel.waiting.push_back(number);
      return;
    }
    if (++channel.first == channel.waiting.size()) {
      channel.waiting.clear();
      channel.first = 0;
    }
    set_received(message);
    wake(sends ? message.receiver : message.sender);
  }

  std::uint32_t new_message() {
    if (free_.empty()) {
      messages_.emplace_back();
      return static_cast<std::uint32_t>(messages_.size() - 1);
    }
    const std::uint32_t number = free_.back();
    free_.pop_back();
    messages_[number] = {};
    return number;
  }

  /// A receive gets its bytes from its message.
  void set_received(const Message& message) {
    model::RankTimeline& rank = timeline(message.receiver);
    std::vector<std::uint32_t>& variant = states_[message.receiver].variant;
    Event& event = rank.events[message.receive_event];
    const std::uint32_t asked = event.operation;
    if (variant.size() <= asked)
      variant.resize(asked + 1, nobody_there);
    std::uint32_t& last = variant[asked];
    if (last == nobody_there || rank.operations[last].bytes != message.bytes) {
      Operation received = rank.operations[asked];
      received.bytes = message.bytes;
      received.detail = static_cast<std::uint32_t>(runtime::mixed(received.detail, message.bytes));
      const auto known = std::ranges::find(rank.operations, received);
      last = static_cast<std::uint32_t>(known - rank.operations.begin());
      if (known == rank.operations.end())
        rank.operations.push_back(received);
    }
    event.operation = last;
  }

  /// Wakes one that waits; it looks itself whether what came is what it waits for.
  void wake(std::uint32_t rank) {
    if (!states_[rank].blocked)
      return;
    states_[rank].blocked = false;
    runnable_.push_back(rank);
  }

  void arrive(std::uint32_t rank, std::uint32_t event) {
    const Operation& what = operation(rank, event);
    Meetings& meetings = meetings_[what.communicator];
    const std::uint32_t number = meetings.arrived[rank]++;
    if (number - meetings.over >= meetings.open.size())
      meetings.open.push_back({.first = rank, .first_event = event});
    Meeting& meeting = meetings.open[number - meetings.over];
    check_agreement(rank, event, meeting);
    RankState& state = states_[rank];
    ++meeting.arrived;
    meeting.last_arrival = std::max(meeting.last_arrival, state.clock);
    if (what.partner == static_cast<std::int32_t>(rank))
      meeting.root_arrival = state.clock;
    meeting.bytes = std::max(meeting.bytes, part_of(rank, what));
    state.begun.push_back({event, number, state.clock});
    if (meeting.arrived == what.members)
      for (const std::uint32_t waiting : meeting.waiting)
        wake(waiting);
  }

  /// Bytes that the model named.
  [[nodiscard]] std::uint64_t part_of(std::uint32_t rank, const Operation& what) const {
    const model::Arguments& arguments = run_.timeline.ranks[rank].arguments[what.arguments - 1];
    const auto& blocks = arguments.out.counts.empty() ? arguments.in : arguments.out;
    return blocks.counts.empty() ? 0 : blocks.counts.front();
  }

  bool complete(std::uint32_t rank, std::size_t event) {
    RankState& state = states_[rank];
    const std::size_t start = event - timeline(rank).events[event].started;
    const auto begun = std::find_if(state.begun.rbegin(), state.begun.rend(),
                                    [&](const Begun& each) { return each.event == start; });
    const Operation& what = operation(rank, start);
    const bool done = what.action == Action::arrive ? leave(rank, *begun, what)
                                                    : complete_message(rank, *begun, what);
    if (done)
      state.begun.erase(std::next(begun).base());
    return done;
  }

  bool complete_message(std::uint32_t rank, const Begun& begun, const Operation& what) {
    Message& message = messages_[begun.number];
    if (!message.matched())
      return false;
    const double both = std::max(message.sent, message.posted);
    const double takes = machine_.transfer(message.sender, message.receiver, message.bytes).value();
    const bool needs_both = machine_.protocol.needs_both(message.bytes);
    const double there = (needs_both ? both : message.sent) + takes;
    RankState& state = states_[rank];
    if (what.action == Action::receive || message.bytes >= machine_.protocol.synchronous_from)
      state.clock = std::max(state.clock, there);
    if (message.left == 0 && machine_.carried)
      machine_.carried(message.sender, message.receiver, message.bytes, Seconds{there});
    if (++message.left == 2)
      free_.push_back(begun.number);
    return true;
  }

  bool leave(std::uint32_t rank, const Begun& begun, const Operation& what) {
    Meetings& meetings = meetings_[what.communicator];
    Meeting& meeting = meetings.open[begun.number - meetings.over];
    if (meeting.arrived < what.members) {
      meeting.waiting.push_back(rank);
      return false;
    }
    const double takes = cost(what, meeting.bytes);
    const bool is_root = what.partner == static_cast<std::int32_t>(rank);
    double left = meeting.last_arrival + takes;
    if (what.shape == Shape::from_root)
      left = std::max(begun.at, meeting.root_arrival) + takes;
    else if (what.shape == Shape::to_root && !is_root)
      left = begun.at + message_between_nodes(meeting.bytes);
    states_[rank].clock = std::max(states_[rank].clock, left);
    ++meeting.left;
    while (!meetings.open.empty() && meetings.open.front().left == what.members) {
      meetings.open.pop_front();
      ++meetings.over;
    }
    return true;
  }

  [[nodiscard]] double message_between_nodes(std::uint64_t bytes) const {
    return machine_.latency.value() + static_cast<double>(bytes) / machine_.bandwidth.value();
  }

  /// What a collective operation of `bytes` per part takes once all are there, by the algorithms
  /// that MPI libraries use: trees for one-to-all and all-to-one, recursive doubling or a ring.
  [[nodiscard]] double cost(const Operation& what, std::uint64_t bytes) const {
    if (what.members < 2)
      return 0;
    const double others = what.members - 1;
    const auto rounds = static_cast<double>(std::bit_width(what.members - 1));
    const double latency = machine_.latency.value();
    const double moving = static_cast<double>(bytes) / machine_.bandwidth.value();
    switch (static_cast<Function>(what.function)) {
    case Function::Bcast:
    case Function::Reduce:
      return rounds * (latency + moving);
    case Function::Allreduce:
      return std::min(rounds * (latency + moving), 2 * others * (latency + moving / what.members));
    case Function::Gather:
    case Function::Scatter:
    case Function::Allgather:
      return rounds * latency + others * moving;
    case Function::Alltoall:
      return others * (latency + moving);
    default: // Barrier, making a group
      return rounds * latency;
    }
  }

  [[nodiscard]] std::string who(std::uint32_t rank) const {
    return fmt::format("rank {}, role '{}'", rank, run_.roles[rank]);
  }
  [[nodiscard]] std::string call(std::uint32_t rank, std::size_t event) const {
    const Operation& what = operation(rank, event);
    const std::string word = word_for(static_cast<Function>(what.function));
    switch (what.action) {
    case Action::send:
      return fmt::format("{} to rank {}", word, what.partner);
    case Action::receive:
      return fmt::format("{} from rank {}", word, what.partner);
    default:
      return what.partner < 0 ? word : fmt::format("{} with root {}", word, what.partner);
    }
  }

  /// Throws where this rank calls another operation than the one that came first.
  void check_agreement(std::uint32_t rank, std::uint32_t event, const Meeting& meeting) const {
    const Operation& mine = operation(rank, event);
    const Operation& theirs = operation(meeting.first, meeting.first_event);
    if (mine.function == theirs.function && mine.partner == theirs.partner)
      return;
    throw Error(ErrorKind::config,
                fmt::format("{}:{}: {}: {}, while rank {}, role '{}', is in {} in line {}",
                            run_.file, mine.site, who(rank), call(rank, event), meeting.first,
                            run_.roles[meeting.first], call(meeting.first, meeting.first_event),
                            theirs.site),
                "the same collective operation, with the same root, on all ranks of a group");
  }

  /// Whom a rank that is stuck waits for; one of them where they are several.
  [[nodiscard]] std::uint32_t awaited(std::uint32_t rank) const {
    const std::size_t start = start_of_wait(rank);
    const Operation& what = operation(rank, start);
    if (what.action != Action::arrive)
      return static_cast<std::uint32_t>(what.partner);
    const Meetings& meetings = meetings_.at(what.communicator);
    const std::uint32_t times = meetings.arrived.at(rank);
    const model::Arguments* made = nullptr;
    for (const model::Arguments& arguments : run_.timeline.ranks[rank].arguments)
      if (arguments.made == what.communicator)
        made = &arguments;
    for (std::uint32_t i = 0; i < what.members; ++i) {
      const std::uint32_t member = made == nullptr ? i : made->members[i];
      const auto known = meetings.arrived.find(member);
      if (known == meetings.arrived.end() || known->second < times)
        return member;
    }
    return rank;
  }

  [[nodiscard]] std::size_t start_of_wait(std::uint32_t rank) const {
    const std::size_t event = states_[rank].event;
    return event - run_.timeline.ranks[rank].events[event].started;
  }

  /// From one that waits to the one that it waits for, until one has ended or comes again.
  [[noreturn]] void refuse_deadlock(std::uint32_t rank) const {
    std::vector<std::uint32_t> path;
    while (states_[rank].blocked && std::ranges::find(path, rank) == path.end()) {
      path.push_back(rank);
      rank = awaited(rank);
    }
    const bool circle = states_[rank].blocked;
    if (circle) // what leads to it is left out
      path.erase(path.begin(), std::ranges::find(path, rank));
    const Operation& first = operation(path.front(), start_of_wait(path.front()));
    std::string text = fmt::format("{}:{}: deadlock: ", run_.file, first.site);
    text += circle ? "ranks wait for each other" : "ranks wait for one that has ended";
    constexpr std::size_t shown = 8;
    for (std::size_t i = 0; i < path.size() && i < shown; ++i) {
      const std::size_t start = start_of_wait(path[i]);
      text += fmt::format("\n  {}, line {}: {}, waits for rank {}", who(path[i]),
                          operation(path[i], start).site, call(path[i], start),
                          i + 1 < path.size() ? path[i + 1] : rank);
    }
    if (path.size() > shown)
      text += fmt::format("\n  and {} more", path.size() - shown);
    if (!circle)
      text += fmt::format("\n  {}, has come to its end", who(rank));
    throw Error(ErrorKind::config, text);
  }

  ModelRun& run_;
  const Machine& machine_;
  std::vector<RankState> states_;
  std::vector<std::uint32_t> runnable_;
  std::vector<Message> messages_;
  std::vector<std::uint32_t> free_;
  std::unordered_map<std::uint64_t, Channel> channels_;
  std::unordered_map<std::uint64_t, Meetings> meetings_; ///< by communicator
};

} // namespace

void schedule(ModelRun& run, const Machine& machine) { Scheduler(run, machine).play(); }

} // namespace hypermile::application
