#include "model/timeline.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace hypermile::model {
namespace {

/// The operation of events whose start was cut off.
std::uint32_t operation_other(RankTimeline& rank) {
  const auto found = std::ranges::find(rank.operations, Operation{});
  if (found != rank.operations.end())
    return static_cast<std::uint32_t>(found - rank.operations.begin());
  rank.operations.emplace_back();
  if (!rank.before.empty())
    rank.before.push_back(0);
  return static_cast<std::uint32_t>(rank.operations.size() - 1);
}

/// What of the computation between two moments is between two others.
Seconds computed(Seconds begin, Seconds end, Seconds from, Seconds to) {
  return std::max(std::min(end, to) - std::max(begin, from), Seconds{});
}

/// Whole calls only.
Part part_between(const RankTimeline& rank, Seconds from, Seconds to) {
  RankClock clock(rank);
  Part part{.first = rank.events.size(), .end = rank.events.size(), .begin = from, .entered = {}};
  Seconds left = rank.begin; // the call before
  RankClock::Moments moments{};
  std::size_t call = 0;
  bool inside = false;
  for (std::size_t e = 0; e < rank.events.size(); ++e) {
    const RankClock::Moments now = clock.next();
    if (e == call) {
      moments = now;
      if (!inside && now.entered >= from) {
        inside = true;
        part.first = e;
        part.begin = std::max(now.begin, from);
        part.entered = now.entered;
      }
    }
    if (rank.events[e].ends_call == 0)
      continue;
    if (inside && now.left > to) {
      part.end = call;
      part.after = computed(moments.begin, moments.entered, from, to);
      part.first = std::min(part.first, part.end);
      return part;
    }
    left = now.left;
    call = e + 1;
  }
  part.after = computed(left, left + rank.computation_after, from, to);
  return part;
}

} // namespace

RankClock::Moments RankClock::next() {
  const Event& event = rank_->events[event_];
  if (pause_ < rank_->pauses.size() && rank_->pauses[pause_].before == event_)
    now_ += rank_->pauses[pause_++].length;
  ++event_;
  Moments moments{.begin = now_, .entered = {}, .left = {}};
  moments.entered = now_ += Seconds{static_cast<double>(event.computation)};
  if (event.ends_call != 0)
    now_ += Seconds{static_cast<double>(event.duration)};
  moments.left = now_;
  return moments;
}

bool Timeline::complete() const {
  return std::ranges::all_of(ranks, [](const auto& rank) { return rank.incomplete.empty(); });
}

std::size_t event_count(const Timeline& timeline) {
  std::size_t events = 0;
  for (const RankTimeline& rank : timeline.ranks)
    events += rank.events.size();
  return events;
}

void require_complete(const Timeline& timeline) {
  for (std::size_t r = 0; r < timeline.ranks.size(); ++r)
    if (!timeline.ranks[r].incomplete.empty())
      throw Error(ErrorKind::model, fmt::format("the timeline of rank {} is not complete: {}", r,
                                                timeline.ranks[r].incomplete));
}

Seconds computed_in_gear0(const RankTimeline& rank, std::size_t first, std::size_t end) {
  Seconds sum;
  for (std::size_t e = first; e < end; ++e)
    sum += Seconds{static_cast<double>(rank.events[e].computation)} / scale_before(rank, e);
  return sum;
}

std::uint64_t events_before(const RankTimeline& rank) {
  return std::accumulate(rank.before.begin(), rank.before.end(), std::uint64_t{0});
}

std::vector<std::uint64_t> occurrences_before(const RankTimeline& rank, std::size_t event) {
  std::vector<std::uint64_t> counts = rank.before;
  counts.resize(rank.operations.size(), 0);
  for (std::size_t e = 0; e < event; ++e)
    ++counts[rank.events[e].operation];
  return counts;
}

Seconds end(const RankTimeline& rank) {
  RankClock clock(rank);
  Seconds now = rank.begin;
  for (std::size_t e = 0; e < rank.events.size(); ++e)
    now = clock.next().left;
  return now + rank.computation_after;
}

double gear_scale_before(const RankTimeline& rank, std::size_t event) {
  for (const auto& earlier : rank.earlier)
    if (event < earlier.end)
      return earlier.scale;
  return rank.scale;
}

double sensitivity_before(const RankTimeline& rank, std::size_t event) {
  if (event >= rank.events.size())
    return rank.sensitivity_otherwise;
  const std::size_t operation = rank.events[event].operation;
  return operation < rank.sensitivity.size() ? rank.sensitivity[operation]
                                             : rank.sensitivity_otherwise;
}

double scale_before(const RankTimeline& rank, std::size_t event) {
  return stretch(gear_scale_before(rank, event), sensitivity_before(rank, event));
}

double scale_after(const RankTimeline& rank) {
  return stretch(rank.scale, rank.sensitivity_otherwise);
}

namespace {

/// Of a part of the timeline. There may have been no event in some gear.
void extract_scales(const RankTimeline& rank, const Part& part, RankTimeline& extract) {
  extract.scale = part.end > part.first ? gear_scale_before(rank, part.end - 1) : rank.scale;
  for (const auto& earlier : rank.earlier)
    if (earlier.end > part.first && earlier.end < part.end)
      extract.earlier.push_back(
          {static_cast<std::uint32_t>(earlier.end - part.first), earlier.scale});
}

/// What was before the part's first computation is over when that begins.
void extract_pauses(const RankTimeline& rank, const Part& part, RankTimeline& extract) {
  const auto from =
      std::ranges::upper_bound(rank.pauses, part.first, {}, &RankTimeline::Pause::before);
  for (auto pause = from; pause != rank.pauses.end() && pause->before < part.end; ++pause)
    extract.pauses.push_back(
        {static_cast<std::uint32_t>(pause->before - part.first), pause->length});
}

} // namespace

RankTimeline extract(const RankTimeline& rank, const Part& part,
                     std::vector<std::uint64_t> before) {
  RankTimeline extract{.begin = part.begin,
                       .operations = rank.operations,
                       .arguments = rank.arguments,
                       .events = {rank.events.begin() + static_cast<std::ptrdiff_t>(part.first),
                                  rank.events.begin() + static_cast<std::ptrdiff_t>(part.end)},
                       .work = {},
                       .computation_after = part.after,
                       .earlier = {},
                       .sensitivity = rank.sensitivity,
                       .sensitivity_otherwise = rank.sensitivity_otherwise,
                       .pauses = {},
                       .before = std::move(before),
                       .incomplete = rank.incomplete};
  extract_scales(rank, part, extract);
  extract_pauses(rank, part, extract);
  auto& events = extract.events;
  for (std::size_t e = 0; e < events.size(); ++e)
    if (events[e].started > e) {
      events[e].operation = operation_other(extract);
      events[e].started = 0;
    }
  if (!events.empty()) // the computation before the first call may have begun before
    events.front().computation = static_cast<float>((part.entered - part.begin).value());
  return extract;
}

RankTimeline cut(const RankTimeline& rank, Seconds from, Seconds to) {
  const Part part = part_between(rank, from, to);
  return extract(rank, part, occurrences_before(rank, part.first));
}

} // namespace hypermile::model
