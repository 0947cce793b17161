#include "model/dependency/protocol.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace hypermile::model::dependency {
namespace {

/// One message, with what its two sides were seen to do.
struct Observation {
  std::uint64_t bytes;
  Seconds sent;
  Seconds posted;
  std::optional<Seconds> send_done; ///< its completion is the only one in its call
  Seconds send_waits_from{};
  std::optional<Seconds> receive_done;
  Seconds receive_waits_from{};
};

bool is_alone(EventIndex complete, const Matching& matching, const Calls& calls) {
  EventIndex others = 0;
  for (EventIndex e = calls.first(complete); e < calls.end(complete); ++e)
    others += matching.operation(e).action == Action::complete ? 1U : 0U;
  return others == 1;
}

/// Nothing is known yet of the end of its sides.
Observation begin_of(const Message& m, const Matching& matching, const Calls& calls) {
  return {.bytes = matching.operation(m.send).bytes,
          .sent = calls.entered(m.send),
          .posted = calls.entered(m.receive),
          .send_done = std::nullopt,
          .receive_done = std::nullopt,
          .receive_waits_from = {}};
}

void note_end(EventIndex complete, const Operation& started, const Matching& matching,
              const Calls& calls, Observation& message) {
  if (started.action == Action::receive) {
    message.receive_done = calls.left(complete);
    message.receive_waits_from = calls.entered(complete);
  }
  if (started.action == Action::send &&
      send_mode(matching.timeline(), started) == SendMode::standard) {
    message.send_done = calls.left(complete);
    message.send_waits_from = calls.entered(complete);
  }
}

std::vector<Observation> observe(const Matching& matching, const Calls& calls) {
  std::vector<Observation> all;
  for (const Message& m : matching.messages())
    all.push_back(begin_of(m, matching, calls));
  for (EventIndex e = 0; e < matching.event_count(); ++e) {
    if (matching.operation(e).action != Action::complete || !is_alone(e, matching, calls))
      continue;
    const EventIndex started = matching.start(e);
    if (const LinkIndex m = matching.message(started); m != nothing)
      note_end(e, matching.operation(started), matching, calls, all[m]);
  }
  return all;
}

/// The sizes at which senders were seen to wait for a late receiver, and not to.
void detect_synchronous(const std::vector<Observation>& all, Protocol& protocol) {
  std::map<std::uint64_t, int> votes;
  for (const Observation& m : all)
    if (m.send_done && m.posted > m.send_waits_from + longest_overhead)
      votes[m.bytes] += *m.send_done >= m.posted ? 1 : -1;
  std::uint64_t least_waiting = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t most_free = 0;
  for (const auto& [bytes, vote] : votes) {
    if (vote > 0)
      least_waiting = std::min(least_waiting, bytes);
    if (vote < 0 && bytes < least_waiting)
      most_free = bytes;
  }
  if (votes.empty())
    return;
  protocol.synchronous_from_seen = true;
  if (protocol.synchronous_from <= most_free)
    protocol.synchronous_from = std::min(least_waiting, most_free + 1);
  else
    protocol.synchronous_from = std::min(protocol.synchronous_from, least_waiting);
}

/// What a message of each size takes when its receiver waits for it.
std::map<std::uint64_t, Seconds> travel_times(const std::vector<Observation>& all) {
  std::map<std::uint64_t, Seconds> least;
  for (const Observation& m : all) {
    if (!m.receive_done || m.sent < m.posted)
      continue;
    const Seconds taken = *m.receive_done - m.sent;
    const auto [found, is_new] = least.try_emplace(m.bytes, taken);
    found->second = std::min(found->second, taken);
  }
  return least;
}

/// Receivers that come late: does the message still have to travel?
void detect_start(const std::vector<Observation>& all, Protocol& protocol) {
  const auto travel = travel_times(all);
  int votes = 0;
  for (const Observation& m : all) {
    const auto known = travel.find(m.bytes);
    if (!m.receive_done || known == travel.end() || m.bytes >= protocol.synchronous_from ||
        m.posted - m.sent < known->second || known->second < longest_overhead ||
        m.receive_waits_from > m.posted + 0.5 * known->second) // too late to see
      continue;
    votes += *m.receive_done - m.posted > 0.5 * known->second ? 1 : -1;
  }
  if (votes == 0)
    return;
  protocol.start_seen = true;
  protocol.starts_at_receive = votes > 0;
}

/// Messages were sent, and their receives posted, and one side waits for their end while the other
/// computes. Does it go on before the other one has come into MPI, too, or right after that?
class ProgressWatch {
public:
  ProgressWatch(const Matching& matching, const Calls& calls)
      : matching_(matching), calls_(calls) {}

  bool moves_in_calls() {
    constexpr double enough = 3;
    constexpr double hardly_ever = 0.1;
    const auto count = static_cast<EventIndex>(matching_.event_count());
    for (EventIndex e = 0, end = 0; e < count; e = end) {
      end = calls_.end(e);
      if (finds_all_started(e, end))
        for (EventIndex complete = e; complete < end; ++complete)
          look_at(complete);
    }
    return right_after_ >= enough && before_ <= hardly_ever * right_after_;
  }

private:
  /// The message that is completed there; `nothing` where it is something else, or cut off.
  [[nodiscard]] LinkIndex message(EventIndex complete) const {
    return matching_.message(matching_.start(complete));
  }
  [[nodiscard]] Seconds started(const Message& m) const {
    return std::max(calls_.entered(m.send), calls_.entered(m.receive));
  }

  /// Whether both sides of all that the call completes had been started when it was entered.
  [[nodiscard]] bool finds_all_started(EventIndex first, EventIndex end) const {
    for (EventIndex e = first; e < end; ++e)
      if (matching_.operation(e).action == Action::complete) {
        const LinkIndex m = message(e);
        if (m == nothing || started(matching_.messages()[m]) >= calls_.entered(first))
          return false;
      }
    return true;
  }

  void look_at(EventIndex own) {
    constexpr Seconds surely{20e-6}; // whatever clocks may be off
    constexpr Seconds soon{200e-6};
    constexpr double slow_network = 1e8; // bytes/s
    if (matching_.operation(own).action != Action::complete)
      return;
    const Message& m = matching_.messages()[message(own)];
    if (!calls_.is_non_blocking(m))
      return;
    const EventIndex of_send = matching_.completion(m.send);
    const Seconds other_came =
        calls_.entered(of_send == own ? matching_.completion(m.receive) : of_send);
    if (other_came <= calls_.entered(own) + surely)
      return;
    const Seconds travel{static_cast<double>(matching_.operation(m.send).bytes) / slow_network};
    const Seconds left = calls_.left(own);
    if (left < other_came - surely)
      ++before_;
    else if (left <= other_came + soon + travel && left > started(m) + soon + travel)
      ++right_after_;
  }

  const Matching& matching_;
  const Calls& calls_;
  double before_ = 0;
  double right_after_ = 0;
};

} // namespace

SendMode send_mode(const Timeline& timeline, const Operation& operation) {
  const std::string& name = timeline.functions[operation.function];
  if (name.starts_with("Ssend") || name.starts_with("Issend"))
    return SendMode::synchronous;
  if (name.starts_with("Bsend") || name.starts_with("Ibsend"))
    return SendMode::buffered;
  return SendMode::standard;
}

Protocol detect_protocol(const Matching& matching, const Calls& calls, Protocol assumed) {
  if (assumed.known)
    return assumed;
  const auto observations = observe(matching, calls);
  detect_synchronous(observations, assumed);
  detect_start(observations, assumed);
  assumed.moves_in_calls = ProgressWatch(matching, calls).moves_in_calls();
  return assumed;
}

} // namespace hypermile::model::dependency
