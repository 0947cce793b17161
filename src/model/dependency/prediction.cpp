#include "model/dependency/prediction.hpp"

#include "model/active_power.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace hypermile::model::dependency {
namespace {

void check(std::size_t index, const Node& node, std::vector<bool>& placed) {
  if (node.ranks.size() > node.type.cores)
    throw Error(
        ErrorKind::model,
        fmt::format("node {} has {} ranks on {} cores", index, node.ranks.size(), node.type.cores),
        "at most one rank per core");
  if (node.type.power.size() != node.type.gears.size())
    throw Error(ErrorKind::model,
                fmt::format("node {} has {} gears and {} powers", index, node.type.gears.size(),
                            node.type.power.size()),
                "one power per gear");
  for (const std::uint32_t rank : node.ranks) {
    if (rank >= placed.size() || placed[rank])
      throw Error(ErrorKind::model,
                  fmt::format("node {}: rank {} is on another node too, or not in the timeline",
                              index, rank),
                  "every rank of the timeline on exactly one node");
    placed[rank] = true;
  }
}

} // namespace

Predictor::Predictor(const Dependencies& dependencies, std::span<const Node> nodes)
    : dependencies_(dependencies) {
  std::vector<bool> placed(dependencies.ranks(), false);
  std::map<std::string, std::size_t> types;
  for (const Node& node : nodes) {
    check(nodes_.size(), node, placed);
    add(node, types.try_emplace(node.type.name, types.size()).first->second);
  }
  if (const auto missing = std::ranges::find(placed, false); missing != placed.end())
    throw Error(ErrorKind::model, fmt::format("rank {} is on no node", missing - placed.begin()),
                "every rank of the timeline on exactly one node");
  const std::vector<Gear> fastest(nodes_.size(), 0);
  std::vector<double> scales;
  this->scales(fastest, scales);
  Dependencies::Workspace workspace;
  baseline_.time = dependencies_.time(scales, workspace);
  baseline_.energy = energy(fastest, baseline_.time);
  if (!(baseline_.time > Seconds{} && baseline_.energy > Joules{}))
    throw Error(ErrorKind::model, "the recorded program takes no time or no energy in gear 0",
                "a recording of some length, and nodes with a power above zero");
}

void Predictor::add(const Node& node, std::size_t type) {
  Seconds scaled;
  Seconds fixed;
  for (const std::uint32_t rank : node.ranks) {
    scaled += dependencies_.scaled(rank);
    fixed += dependencies_.computation()[rank] - dependencies_.scaled(rank);
  }
  std::vector<GearFigures> figures;
  for (Gear g = 0; g < node.type.gears.size(); ++g) {
    const GearPower& power = node.type.power[g];
    const double scale = node.type.gears.scale(g);
    // All at a time: where power is no line over the cores that compute, it is near that.
    const auto ranks = static_cast<double>(std::max<std::size_t>(1, node.ranks.size()));
    const Watts per_rank =
        (power.computing - power.waiting) * (active_share(node.type, node.ranks.size()) / ranks);
    figures.push_back({.scale = scale,
                       .waiting = power.waiting,
                       .per_rank = per_rank,
                       .computing = per_rank * (scaled * scale + fixed),
                       .peak = power.waiting + per_rank * static_cast<double>(node.ranks.size())});
  }
  nodes_.push_back({node.type.gears, node.ranks, type, std::move(figures)});
}

void Predictor::scales(std::span<const Gear> gears, std::vector<double>& scales) const {
  scales.resize(dependencies_.ranks());
  for (std::size_t n = 0; n < nodes_.size(); ++n)
    for (const std::uint32_t rank : nodes_[n].ranks)
      scales[rank] = nodes_[n].gears[gears[n]].scale;
}

Joules Predictor::energy(std::span<const Gear> gears, Seconds time) const {
  Joules energy;
  Watts waiting;
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    energy += nodes_[n].gears[gears[n]].computing;
    waiting += nodes_[n].gears[gears[n]].waiting;
  }
  return energy + waiting * time;
}

Prediction Predictor::predict(std::span<const Gear> gears, Workspace& workspace) const {
  scales(gears, workspace.scales_);
  const Seconds time = dependencies_.time(workspace.scales_, workspace.pass_);
  return normalised(baseline_, time, energy(gears, time));
}

Prediction Predictor::predict(const StagedOutcome& outcome,
                              std::span<const std::vector<Gear>> gears) const {
  Joules energy;
  for (const NodeFigures& node : nodes_) {
    for (const std::uint32_t rank : node.ranks)
      for (std::size_t s = 0; s < outcome.stages[rank].size(); ++s)
        energy += node.gears[gears[rank][s]].per_rank * outcome.stages[rank][s].computing;
    if (node.ranks.empty()) {
      energy += node.gears[0].waiting * outcome.time;
      continue;
    }
    const std::uint32_t leader = node.ranks.front();
    const std::vector<Stage>& stages = outcome.stages[leader];
    Seconds from = outcome.begin;
    for (std::size_t s = 0; s < stages.size(); ++s) {
      const Seconds to = s + 1 < stages.size() ? stages[s].end : outcome.begin + outcome.time;
      energy += node.gears[gears[leader][s]].waiting * (to - from);
      from = to;
    }
  }
  return normalised(baseline_, outcome.time, energy);
}

} // namespace hypermile::model::dependency
