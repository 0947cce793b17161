#include "simulate/forecast.hpp"

#include "runtime/decide/node_problem.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace hypermile::simulate {
namespace {

namespace dependency = model::dependency;

void check(const runtime::RunReport& run, const model::Timeline& timeline) {
  if (timeline.ranks.size() != run.ranks.size())
    throw Error(ErrorKind::model, fmt::format("the timeline is of {} ranks, the run of {}",
                                              timeline.ranks.size(), run.ranks.size()));
  require_complete(timeline);
}

/// A recording to be repeated has events for more than calls: clocks that were read, and marks.
bool is_call(std::string_view function) { return function != "Wtime" && function != "Iteration"; }

std::vector<std::uint32_t> first_events_of_calls(const model::Timeline& timeline,
                                                 const model::RankTimeline& rank) {
  std::vector<std::uint32_t> firsts;
  bool begins = true;
  for (std::uint32_t e = 0; e < rank.events.size(); ++e) {
    const model::Event& event = rank.events[e];
    if (begins && is_call(timeline.functions[rank.operations[event.operation].function]))
      firsts.push_back(e);
    begins = event.ends_call != 0;
  }
  return firsts;
}

} // namespace

Forecast::Forecast(const runtime::RunReport& run, const model::Timeline& timeline) {
  check(run, timeline);
  for (const model::RankTimeline& rank : timeline.ranks)
    calls_.push_back(first_events_of_calls(timeline, rank));
  dependencies_ = std::make_unique<dependency::Dependencies>(
      timeline, run.protocol.value_or(dependency::Protocol{}));
  predictor_ =
      std::make_unique<dependency::Predictor>(*dependencies_, runtime::nodes_of(run.ranks));
}

/// The calls of two runs are the same but for polls, which a share makes up for.
std::uint32_t Forecast::first_event_after(std::size_t rank, double share_of_calls) const {
  const auto& calls = calls_[rank];
  const auto call =
      static_cast<std::size_t>(std::llround(share_of_calls * static_cast<double>(calls.size())));
  return call < calls.size() ? calls[call] : (calls.empty() ? 0 : calls.back());
}

Expectation Forecast::of(const runtime::RunReport& run) const {
  std::vector<std::vector<dependency::ScaleChange>> changes(run.ranks.size());
  std::vector<std::vector<model::Gear>> gears(run.ranks.size());
  for (std::size_t r = 0; r < run.ranks.size(); ++r) {
    const runtime::RankReport& rank = run.ranks[r];
    gears[r].push_back(0);
    if (rank.changes.empty()) { // it had its gear from the beginning
      changes[r].push_back({.event = 0, .scale = rank.node.type.gears.scale(rank.gear)});
      gears[r].push_back(rank.gear);
    }
    if (!rank.changes.empty() && rank.fastest > 0) {
      changes[r].push_back({.event = 0, .scale = rank.node.type.gears.scale(rank.fastest)});
      gears[r].push_back(rank.fastest);
    }
    for (const runtime::GearChange& change : rank.changes) {
      const double share = static_cast<double>(change.calls) /
                           static_cast<double>(std::max<std::size_t>(1, rank.calls));
      changes[r].push_back(
          {.event = first_event_after(r, share), .scale = rank.node.type.gears.scale(change.gear)});
      gears[r].push_back(change.gear);
    }
  }
  const model::Prediction prediction = predictor_->predict(dependencies_->staged(changes), gears);
  return {prediction.time, prediction.energy};
}

Expectation Forecast::of(std::span<const model::Gear> gears) const {
  dependency::Predictor::Workspace workspace;
  const model::Prediction prediction = predictor_->predict(gears, workspace);
  return {prediction.time, prediction.energy};
}

} // namespace hypermile::simulate
