#include "model/common_part.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <tuple>

namespace hypermile::model {
namespace {

/// How many collective operations a rank had joined, and messages it had sent and received, before
/// one of its events.
class Counts {
public:
  Counts(const RankTimeline& rank, std::size_t event) {
    const auto of_operation = occurrences_before(rank, event);
    for (std::size_t o = 0; o < rank.operations.size(); ++o) {
      const Operation& operation = rank.operations[o];
      if (operation.action == Action::arrive)
        joined_[operation.communicator] += of_operation[o];
      else if (operation.action == Action::send || operation.action == Action::receive)
        messages_[key(operation)] += of_operation[o];
    }
  }

  void add(const RankTimeline& rank, std::size_t event) {
    const Operation& operation = rank.operations[rank.events[event].operation];
    if (operation.action == Action::arrive)
      ++joined_[operation.communicator];
    else if (operation.action == Action::send || operation.action == Action::receive)
      ++messages_[key(operation)];
  }
  [[nodiscard]] std::uint64_t joined(std::uint64_t communicator) const {
    const auto found = joined_.find(communicator);
    return found == joined_.end() ? 0 : found->second;
  }
  [[nodiscard]] std::uint64_t messages(const Operation& channel) const {
    const auto found = messages_.find(key(channel));
    return found == messages_.end() ? 0 : found->second;
  }

private:
  using Key = std::tuple<Action, std::uint64_t, std::int32_t, std::int32_t>;
  static Key key(const Operation& operation) {
    return {operation.action, operation.communicator, operation.partner, operation.tag};
  }

  std::map<std::uint64_t, std::uint64_t> joined_; ///< by communicator
  std::map<Key, std::uint64_t> messages_;         ///< by direction, communicator, partner, tag
};

/// An MPI call of a rank.
struct Call {
  std::size_t first; ///< event
  std::size_t end;   ///< event after the last
  Seconds begin;     ///< of the computation before it
  Seconds entered;
  Seconds over;
};

std::vector<Call> calls_of(const RankTimeline& rank) {
  std::vector<Call> calls;
  RankClock clock(rank);
  RankClock::Moments of_first{};
  std::size_t first = 0;
  for (std::size_t e = 0; e < rank.events.size(); ++e) {
    const RankClock::Moments moments = clock.next();
    if (e == first)
      of_first = moments;
    if (rank.events[e].ends_call == 0)
      continue;
    calls.push_back({first, e + 1, of_first.begin, of_first.entered, moments.left});
    first = e + 1;
  }
  return calls;
}

/// The calls that are taken of a rank: at first all in which it was between two moments, and later
/// ones.
class Taken {
public:
  Taken(const RankTimeline& rank, Seconds from, Seconds to, Seconds latest)
      : rank_(&rank), from_(from), to_(to), calls_(calls_of(rank)) {
    const auto first = std::ranges::find_if(
        calls_, [&](const Call& c) { return c.over > from || c.entered >= from; });
    const auto later =
        std::find_if(first, calls_.end(), [&](const Call& c) { return c.over > to; });
    const auto end =
        std::find_if(later, calls_.end(), [&](const Call& c) { return c.entered > latest; });
    first_ = static_cast<std::size_t>(first - calls_.begin());
    later_ = static_cast<std::size_t>(later - calls_.begin());
    end_ = static_cast<std::size_t>(end - calls_.begin());
  }

  [[nodiscard]] bool empty() const { return first_ == end_; }
  [[nodiscard]] const RankTimeline& rank() const { return *rank_; }
  [[nodiscard]] const Call& first() const { return calls_[first_]; }
  [[nodiscard]] bool began_before() const { return first().entered < from_; }
  /// Those that were not over in time.
  [[nodiscard]] std::span<const Call> later() const {
    const std::size_t begin = std::max(first_, later_);
    return std::span(calls_).subspan(begin, std::max(end_, begin) - begin);
  }
  void drop_first() { ++first_; }
  void keep_later(std::size_t count) { end_ = std::max(first_, later_) + count; }

  [[nodiscard]] Counts counts_before_first() const { return {*rank_, begin_of(first_)}; }
  [[nodiscard]] Counts counts_until_end() const { return {*rank_, begin_of(end_)}; }

  [[nodiscard]] RankTimeline extracted() const {
    const Seconds over = end_ > 0 ? calls_[end_ - 1].over : rank_->begin;
    const bool last = end_ == calls_.size();
    const Seconds computes = last ? over : calls_[end_].begin;
    const Seconds next = last ? over + rank_->computation_after : calls_[end_].entered;
    Part part{.first = begin_of(first_), .end = begin_of(end_), .begin = from_, .entered = from_};
    part.after = std::max(std::min(next, to_) - std::max(computes, from_), Seconds{});
    if (!empty()) {
      part.entered = first().entered;
      part.begin = std::min(std::max(first().begin, from_), first().entered);
    }
    return extract(*rank_, part, occurrences_before(*rank_, part.first));
  }

private:
  [[nodiscard]] std::size_t begin_of(std::size_t call) const {
    return call < calls_.size() ? calls_[call].first : rank_->events.size();
  }

  const RankTimeline* rank_;
  Seconds from_;
  Seconds to_;
  std::vector<Call> calls_;
  std::size_t first_;
  std::size_t later_;
  std::size_t end_;
};

/// The other side of a rank's channel.
Operation send_to(std::size_t rank, Operation receive) {
  receive.action = Action::send;
  receive.partner = static_cast<std::int32_t>(rank);
  return receive;
}

/// Finds the calls at the edges of which not all participants are there.
class Edges {
public:
  explicit Edges(const std::vector<Taken>& taken) : taken_(taken) {
    for (const Taken& rank : taken) {
      before_.push_back(rank.counts_before_first());
      until_.push_back(rank.counts_until_end());
    }
  }

  /// Somebody had done their part of the rank's first call before.
  [[nodiscard]] bool breaks_first(std::size_t r) const {
    const Taken& rank = taken_[r];
    for (std::size_t e = rank.first().first; e < rank.first().end; ++e) {
      const auto waited = waited_for(rank, e, rank.first().first);
      if (!waited && rank.began_before())
        return true;
      // Who only gives, as a broadcast's root, may be far ahead.
      if (waited && waited->action == Action::arrive &&
          (waited->shape == Shape::all || rank.began_before()) &&
          std::ranges::any_of(before_, [&](const Counts& other) {
            return other.joined(waited->communicator) > before_[r].joined(waited->communicator);
          }))
        return true;
      if (waited && waited->action == Action::receive && rank.began_before() &&
          (!known(waited->partner) ||
           before_of(waited->partner).messages(send_to(r, *waited)) > before_[r].messages(*waited)))
        return true;
    }
    return false;
  }

  /// Of the calls that were not over in time, so many wait for nothing that is not there. The last
  /// of them waits for something: what a rank did after that on its own others have not done yet.
  [[nodiscard]] std::size_t whole_later(std::size_t r) const {
    const Taken& rank = taken_[r];
    const auto calls = rank.later();
    std::size_t whole = 0;
    if (calls.empty())
      return whole;
    Counts counts(rank.rank(), calls.front().first); // by the event that is looked at
    for (std::size_t c = 0; c < calls.size(); ++c) {
      bool waits = false;
      for (std::size_t e = calls[c].first; e < calls[c].end; ++e) {
        counts.add(rank.rank(), e);
        const Action action = rank.rank().operations[rank.rank().events[e].operation].action;
        if (action == Action::other) // waits for nobody
          continue;
        const bool completes = action == Action::complete;
        const auto waited = waited_for(rank, e, rank.first().first);
        if (!waited || (completes && !is_there(r, *waited, counts)))
          return whole;
        waits = waits || (completes && waited->action != Action::send);
      }
      if (waits)
        whole = c + 1;
    }
    return whole;
  }

private:
  /// What an event begins, or completes; none where nobody knows, or it began before `first`.
  static std::optional<Operation> waited_for(const Taken& rank, std::size_t e, std::size_t first) {
    const RankTimeline& timeline = rank.rank();
    const Event& event = timeline.events[e];
    const Operation& operation = timeline.operations[event.operation];
    if (operation.action == Action::probe || operation.action == Action::other ||
        event.started > e - first)
      return std::nullopt;
    return operation.action == Action::complete
               ? timeline.operations[timeline.events[e - event.started].operation]
               : operation;
  }
  /// `counts`: of the rank, by now.
  [[nodiscard]] bool is_there(std::size_t r, const Operation& waited, const Counts& counts) const {
    if (waited.action == Action::receive)
      return known(waited.partner) &&
             until_of(waited.partner).messages(send_to(r, waited)) >= counts.messages(waited);
    if (waited.action != Action::arrive)
      return true;
    const std::uint64_t number = counts.joined(waited.communicator);
    const auto there = std::ranges::count_if(
        until_, [&](const Counts& other) { return other.joined(waited.communicator) >= number; });
    return static_cast<std::size_t>(there) >= waited.members;
  }
  [[nodiscard]] bool known(std::int32_t rank) const {
    return rank >= 0 && static_cast<std::size_t>(rank) < taken_.size();
  }
  [[nodiscard]] const Counts& before_of(std::int32_t r) const {
    return before_[static_cast<std::size_t>(r)];
  }
  [[nodiscard]] const Counts& until_of(std::int32_t r) const {
    return until_[static_cast<std::size_t>(r)];
  }

  const std::vector<Taken>& taken_;
  std::vector<Counts> before_;
  std::vector<Counts> until_;
};

/// Returns whether there was one to drop.
bool drop_broken(std::vector<Taken>& taken) {
  const Edges edges(taken);
  std::vector<bool> breaks_first;
  std::vector<std::size_t> later;
  for (std::size_t r = 0; r < taken.size(); ++r) {
    breaks_first.push_back(!taken[r].empty() && edges.breaks_first(r));
    later.push_back(taken[r].empty() ? 0 : edges.whole_later(r));
  }
  bool dropped = false;
  for (std::size_t r = 0; r < taken.size(); ++r) {
    dropped = dropped || breaks_first[r] || later[r] < taken[r].later().size();
    taken[r].keep_later(later[r]);
    if (breaks_first[r] && !taken[r].empty())
      taken[r].drop_first();
  }
  return dropped;
}

} // namespace

std::vector<RankTimeline> common_part(const std::vector<const RankTimeline*>& ranks, Seconds from,
                                      Seconds to, Seconds latest) {
  std::vector<Taken> taken;
  for (const RankTimeline* rank : ranks)
    taken.emplace_back(*rank, from, to, latest);
  constexpr int most_rounds = 16; // where one rank takes no part, others cannot
  for (int round = 0; round < most_rounds && drop_broken(taken); ++round) {
  }
  std::vector<RankTimeline> part;
  for (const Taken& rank : taken)
    part.push_back(rank.extracted());
  return part;
}

} // namespace hypermile::model
