#include "model/dependency/schedule.hpp"

#include "model/dependency/dependencies.hpp"

#include <algorithm>

namespace hypermile::model::dependency {
namespace {

/// The calls of a rank, without times.
std::vector<Schedule::Call> calls_of(const RankTimeline& rank) {
  std::vector<Schedule::Call> calls;
  Schedule::Call call;
  for (std::uint32_t e = 0; e < rank.events.size(); ++e) {
    call.end = e + 1;
    if (rank.events[e].ends_call == 0 && call.end < rank.events.size())
      continue;
    calls.push_back(call);
    call.first = call.end;
  }
  return calls;
}

/// Takes the moments of a rank's steps as those of its calls.
class CallClock {
public:
  CallClock(Schedule::Rank& rank, Seconds begin) : rank_(&rank), now_(begin) { rank.begin = begin; }

  /// A step of this event: the rank computed until `ready`, and was through at `done`.
  void step(std::uint32_t event, Seconds ready, Seconds done) {
    while (rank_->calls[call_].end <= event)
      finish_call();
    if (!inside_)
      rank_->calls[call_].entered = ready;
    inside_ = true;
    now_ = done;
  }
  void end(Seconds computation_after) {
    while (call_ < rank_->calls.size())
      finish_call();
    rank_->end = now_ + computation_after;
  }

private:
  /// One without a step takes no time.
  void finish_call() {
    Schedule::Call& call = rank_->calls[call_++];
    if (!inside_)
      call.entered = now_;
    call.left = now_;
    inside_ = false;
  }

  Schedule::Rank* rank_;
  Seconds now_;
  std::size_t call_ = 0;
  bool inside_ = false; ///< a step of the call has come
};

} // namespace

Seconds Schedule::begin() const { return std::ranges::min(ranks, {}, &Rank::begin).begin; }

Seconds Schedule::end() const { return std::ranges::max(ranks, {}, &Rank::end).end; }

Seconds Schedule::computing(std::size_t rank) const {
  const Rank& of = ranks[rank];
  Seconds sum = of.end - of.begin;
  for (const Call& call : of.calls)
    sum -= call.left - call.entered;
  return sum;
}

Schedule recorded_schedule(const Timeline& timeline) {
  Schedule schedule;
  for (const RankTimeline& rank : timeline.ranks) {
    Schedule::Rank times{.begin = rank.begin, .end = {}, .calls = calls_of(rank), .waits = {}};
    RankClock clock(rank);
    Seconds left = rank.begin;
    for (Schedule::Call& call : times.calls) {
      for (std::uint32_t e = call.first; e < call.end; ++e) {
        const RankClock::Moments moments = clock.next();
        if (e == call.first)
          call.entered = moments.entered;
        left = moments.left;
      }
      call.left = left;
    }
    times.end = left + rank.computation_after;
    schedule.ranks.push_back(std::move(times));
  }
  return schedule;
}

Schedule Dependencies::schedule(const Timeline& timeline, std::span<const double> scales) const {
  Schedule schedule;
  schedule.ranks.resize(ranks());
  std::vector<CallClock> clocks;
  for (std::size_t r = 0; r < ranks(); ++r) {
    schedule.ranks[r].calls = calls_of(timeline.ranks[r]);
    clocks.emplace_back(schedule.ranks[r], Seconds{begins_[r]});
  }
  Workspace workspace;
  start(workspace);
  workspace.scales_.assign(scales.begin(), scales.end());
  for (std::size_t s = 0; s < steps_.size(); ++s) {
    const Step& step = steps_[s];
    const double ready = workspace.clocks_[step.rank] + stretched(s, scales[step.rank]);
    run(s, s + 1, workspace);
    const double done = workspace.clocks_[step.rank];
    clocks[step.rank].step(event_of_[s] - first_[step.rank], Seconds{ready}, Seconds{done});
    const double until = waited_until(step, ready, done, workspace);
    if (until > ready)
      schedule.ranks[step.rank].waits.push_back({Seconds{ready}, Seconds{until}});
  }
  for (std::size_t r = 0; r < ranks(); ++r)
    clocks[r].end(after(r, scales[r]));
  return schedule;
}

} // namespace hypermile::model::dependency
