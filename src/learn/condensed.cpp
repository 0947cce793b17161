#include "learn/condensed.hpp"

#include <algorithm>
#include <limits>

namespace hypermile::learn {
namespace {

using model::RankTimeline;
using model::Timeline;
using runtime::RankReport;

/// Of the run; what is shorter says little about it.
constexpr double least_share_kept = 0.02;
/// Times are kept as floats, and the shortest pauses are not in them.
constexpr double nearly_all = 0.98;
/// A rank with less computation than this part of the most has no weight of its own.
constexpr double least_part = 0.05;
/// Of the operation for which all wait before the part that repeats.
constexpr std::uint64_t own_communicator = ~std::uint64_t{0} - 1;

Seconds computation_in_gear0(const RankTimeline& rank) {
  Seconds sum = rank.computation_after;
  for (const model::Event& event : rank.events)
    sum += Seconds{static_cast<double>(event.computation)};
  return sum / rank.scale;
}

struct Window {
  Seconds from;
  Seconds to{std::numeric_limits<double>::infinity()};
};

Window common_window(const std::vector<RankReport>& ranks) {
  Window window;
  for (const RankReport& rank : ranks) {
    const RankTimeline& timeline = rank.lesson->timeline;
    window.from = &rank == &ranks.front() ? timeline.begin : std::max(window.from, timeline.begin);
    window.to = std::min(window.to, model::end(timeline));
  }
  return window;
}

bool has_all_events(const RankReport& rank) {
  return !rank.lesson->timeline.events.empty() && rank.lesson->timeline.incomplete.empty();
}

bool is_whole(const RankReport& rank) {
  return computation_in_gear0(rank.lesson->timeline) >= nearly_all * rank.lesson->outline.total &&
         model::end(rank.lesson->timeline) - rank.lesson->timeline.begin >= nearly_all * rank.time;
}

/// How often the part was repeated: what the rank says that did the least else.
double repetitions(const Timeline& part, const std::vector<RankReport>& ranks) {
  Seconds most;
  for (const RankTimeline& rank : part.ranks)
    most = std::max(most, computation_in_gear0(rank));
  double times = std::numeric_limits<double>::infinity();
  for (std::size_t r = 0; r < ranks.size(); ++r)
    if (const Seconds own = computation_in_gear0(part.ranks[r]); own >= least_part * most)
      times = std::min(times, ranks[r].lesson->outline.total / own);
  return std::max(1.0, times);
}

void repeat(RankTimeline& rank, double times) {
  for (model::Event& event : rank.events) {
    event.computation = static_cast<float>(static_cast<double>(event.computation) * times);
    event.duration = static_cast<float>(static_cast<double>(event.duration) * times);
  }
  for (RankTimeline::Pause& pause : rank.pauses)
    pause.length = pause.length * times;
}

/// Computation `before` the first event, and then all ranks wait for each other until `until`.
void precede(RankTimeline& rank, Seconds before, Seconds until, std::size_t ranks) {
  const auto operation = static_cast<std::uint32_t>(rank.operations.size());
  rank.operations.push_back({.action = model::Action::arrive,
                             .shape = model::Shape::all,
                             .members = static_cast<std::uint32_t>(ranks),
                             .communicator = own_communicator});
  rank.operations.push_back({.action = model::Action::complete});
  if (!rank.before.empty())
    rank.before.resize(rank.operations.size(), 0);
  const model::Event arrives{.operation = operation,
                             .computation = static_cast<float>(before.value())};
  model::Event leaves{.operation = operation + 1,
                      .duration = static_cast<float>((until - before).value())};
  leaves.started = 1;
  leaves.ends_call = 1;
  rank.events.insert(rank.events.begin(), {arrives, leaves});
  for (RankTimeline::Pause& pause : rank.pauses)
    pause.before += 2;
  rank.begin = Seconds{};
}

/// The part, and before it what the ranks did beside.
Timeline completed(Timeline part, const std::vector<RankReport>& ranks, Seconds from) {
  const double times = repetitions(part, ranks);
  std::vector<Seconds> rest;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    const Seconds own = computation_in_gear0(part.ranks[r]) * times;
    rest.push_back(std::max(Seconds{}, ranks[r].lesson->outline.total - own) * part.ranks[r].scale);
  }
  const Seconds last = std::ranges::max(rest);
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    const Seconds late = (part.ranks[r].begin - from) * times;
    repeat(part.ranks[r], times);
    precede(part.ranks[r], rest[r], last + late, ranks.size());
  }
  return part;
}

} // namespace

double coverage(const Memory& memory) {
  const auto [from, to] = common_window(memory.ranks);
  Seconds time;
  for (const RankReport& rank : memory.ranks)
    time = std::max(time, rank.time);
  if (!std::ranges::all_of(memory.ranks, has_all_events) || time <= Seconds{})
    return 0;
  return std::clamp((to - from) / time, 0.0, 1.0);
}

std::optional<Timeline> condensed(const Memory& memory) {
  if (coverage(memory) < least_share_kept)
    return std::nullopt;
  Timeline timeline{.functions = memory.functions, .ranks = {}};
  const bool all = std::ranges::all_of(memory.ranks, is_whole);
  const auto [from, to] = common_window(memory.ranks);
  for (const RankReport& rank : memory.ranks) {
    timeline.ranks.push_back(all ? rank.lesson->timeline
                                 : model::cut(rank.lesson->timeline, from, to));
    if (!all) // nobody is seen to wait for that, which another repetition would do
      timeline.ranks.back().computation_after = {};
  }
  return all ? timeline : completed(std::move(timeline), memory.ranks, from);
}

} // namespace hypermile::learn
