#include "simulate/critical_calls.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace hypermile::simulate {
namespace {

using model::Action;
using model::Operation;
using model::RankTimeline;
using model::dependency::nothing;
using Path = model::dependency::Dependencies::Path;
using PathStep = model::dependency::Dependencies::PathStep;
using Call = Explanation::Call;
using Segment = Explanation::Segment;

const Operation& operation_of(const RankTimeline& rank, std::size_t event) {
  return rank.operations[rank.events[event].operation];
}

/// The call that a step is in, as it occurred once. The step is one of an event.
Call call_of(const PathStep& step, const model::Timeline& timeline) {
  const RankTimeline& rank = timeline.ranks[step.rank];
  const Operation& own = operation_of(rank, step.event);
  Call call{.kind = Call::Kind::alone,
            .function = timeline.functions[own.function],
            .rank = step.rank,
            .with = 0,
            .times = 1,
            .inside = step.inside};
  if (own.action != Action::complete && own.action != Action::probe)
    return call;
  const Operation& started = operation_of(rank, step.event - rank.events[step.event].started);
  if (started.action == Action::arrive) {
    call.kind = Call::Kind::collective;
    call.rank = 0;
    call.with = started.members;
  } else if (started.partner >= 0) {
    call.kind = Call::Kind::message;
    call.with = static_cast<std::size_t>(started.partner);
  }
  return call;
}

std::string function_at(const PathStep& step, const model::Timeline& timeline) {
  if (step.event == nothing)
    return "";
  return timeline.functions[operation_of(timeline.ranks[step.rank], step.event).function];
}

/// In which iteration of its loop a rank was, from the times of the recorded run.
class Iterations {
public:
  Iterations(const model::Timeline& timeline, const runtime::RunReport& run)
      : timeline_(timeline), run_(run), entered_(timeline.ranks.size()) {}

  /// As if all iterations took equally long. 0: outside of the loop.
  [[nodiscard]] std::size_t at(const PathStep& step) {
    const runtime::LoopReport& loop = run_.ranks[step.rank].loop;
    if (step.event == nothing || loop.iterations == 0 || loop.total <= Seconds{})
      return 0;
    const double since = entered(step.rank)[step.event] - loop.first_iteration.value();
    const double share = since / loop.total.value();
    if (share < 0 || share >= 1)
      return 0;
    return 1 + static_cast<std::size_t>(share * static_cast<double>(loop.iterations));
  }

private:
  /// By event: when its call was entered.
  const std::vector<double>& entered(std::size_t rank) {
    std::vector<double>& times = entered_[rank];
    if (!times.empty())
      return times;
    model::RankClock clock(timeline_.ranks[rank]);
    for (std::size_t e = 0; e < timeline_.ranks[rank].events.size(); ++e)
      times.push_back(clock.next().entered.value());
    return times;
  }

  const model::Timeline& timeline_;
  const runtime::RunReport& run_;
  std::vector<std::vector<double>> entered_; ///< by rank, once asked for
};

/// Steps [first, last] of a path, all on one rank.
struct Section {
  std::size_t first;
  std::size_t last;
  Seconds length;
};

std::vector<Section> sections_of(const Path& path) {
  std::vector<Section> sections;
  Seconds begin = path.begin;
  for (std::size_t s = 0; s < path.steps.size(); ++s) {
    if (s == 0 || path.steps[s].rank != path.steps[s - 1].rank) {
      begin = s == 0 ? path.begin : path.steps[s - 1].end;
      sections.push_back({.first = s, .last = s, .length = {}});
    }
    sections.back().last = s;
    sections.back().length = path.steps[s].end - begin;
  }
  return sections;
}

Segment describe(const Section& section, const Path& path, const model::Timeline& timeline,
                 Iterations& iterations) {
  const PathStep& first = path.steps[section.first];
  const PathStep& last = path.steps[section.last];
  Segment segment{.rank = first.rank,
                  .begin = last.end - section.length,
                  .computing = {},
                  .inside = {},
                  .first_call = function_at(first, timeline),
                  .last_call = function_at(last, timeline),
                  .first_iteration = iterations.at(first),
                  .last_iteration = iterations.at(last)};
  for (std::size_t s = section.first; s <= section.last; ++s) {
    segment.computing += path.steps[s].computing;
    segment.inside += path.steps[s].inside;
  }
  return segment;
}

} // namespace

std::vector<Call> calls_on(const Path& path, const model::Timeline& timeline) {
  std::map<std::tuple<Call::Kind, std::string, std::size_t, std::size_t>, Call> alike;
  for (const PathStep& step : path.steps) {
    if (step.event == nothing || (step.inside <= Seconds{} && !step.waited))
      continue;
    Call call = call_of(step, timeline);
    const auto key = std::tuple(call.kind, call.function, call.rank, call.with);
    const auto [found, is_new] = alike.try_emplace(key, call);
    if (is_new)
      continue;
    ++found->second.times;
    found->second.inside += call.inside;
  }
  std::vector<Call> calls;
  for (auto& [key, call] : alike)
    calls.push_back(std::move(call));
  std::ranges::stable_sort(calls, std::greater{}, &Call::inside);
  return calls;
}

std::vector<Segment> longest_segments(const Path& path, const model::Timeline& timeline,
                                      const runtime::RunReport& run, std::size_t most) {
  std::vector<Section> sections = sections_of(path);
  std::ranges::stable_sort(sections, std::greater{}, &Section::length);
  Iterations iterations(timeline, run);
  std::vector<Segment> longest;
  for (std::size_t i = 0; i < std::min(most, sections.size()); ++i)
    longest.push_back(describe(sections[i], path, timeline, iterations));
  return longest;
}

} // namespace hypermile::simulate
