#include "simulate/forecast.hpp"

#include "runtime/decide/node_problem.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hypermile::simulate {
namespace {

namespace dependency = model::dependency;

void check(const runtime::RunReport& run, const model::Timeline& timeline) {
  if (timeline.ranks.size() != run.ranks.size())
    throw Error(ErrorKind::model, fmt::format("the timeline is of {} ranks, the run of {}",
                                              timeline.ranks.size(), run.ranks.size()));
  for (std::size_t r = 0; r < timeline.ranks.size(); ++r)
    if (!timeline.ranks[r].incomplete.empty())
      throw Error(ErrorKind::model, fmt::format("the timeline of rank {} is not complete: {}", r,
                                                timeline.ranks[r].incomplete));
}

std::vector<std::uint32_t> first_events_of_calls(const model::RankTimeline& rank) {
  std::vector<std::uint32_t> firsts;
  bool begins = true;
  for (std::uint32_t e = 0; e < rank.events.size(); ++e) {
    if (begins)
      firsts.push_back(e);
    begins = rank.events[e].ends_call != 0;
  }
  return firsts;
}

} // namespace

Forecast::Forecast(const runtime::RunReport& unscaled, const model::Timeline& timeline,
                   const io::NetworkDescription& network) {
  check(unscaled, timeline);
  for (const model::RankTimeline& rank : timeline.ranks)
    calls_.push_back(first_events_of_calls(rank));
  const dependency::Matching matching(timeline);
  const dependency::Calls calls(matching);
  const auto costs = dependency::find_costs(matching, calls, network.protocol);
  dependencies_ = std::make_unique<dependency::Dependencies>(matching, calls, costs);
  const network::Decomposition decomposition(matching, calls, costs.protocol, network.interconnect);
  shared_ = std::make_unique<network::SharedNetwork>(*dependencies_, matching, costs,
                                                     network.interconnect, decomposition);
  network_.contention = shared_->contention();
  network_.evaluation = network::fitting_evaluation(network_.contention);
  if (shares_network())
    for (const auto& use : decomposition.uses(matching))
      network_.collectives.push_back(
          {std::string(use.function), std::string(use.algorithm), use.operations});
  predictor_ =
      std::make_unique<dependency::Predictor>(*dependencies_, runtime::nodes_of(unscaled.ranks));
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
  const model::Prediction prediction = predictor_->predict(
      shares_network() ? shared_->staged(changes) : dependencies_->staged(changes), gears);
  return {prediction.time, prediction.energy};
}

Expectation Forecast::of(std::span<const model::Gear> gears) const {
  std::vector<double> scales;
  predictor_->scales(gears, scales);
  Seconds time;
  if (shares_network()) {
    network::SharedNetwork::Workspace workspace;
    time = shared_->time(scales, workspace);
  } else {
    dependency::Dependencies::Workspace workspace;
    time = dependencies_->time(scales, workspace);
  }
  return {time, predictor_->energy(gears, time)};
}

} // namespace hypermile::simulate
