#include "network/fair_shares.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hypermile::network {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();
/// Levels that differ by less are the same one, found by other sums.
constexpr double same = 1 + 1e-12;

} // namespace

RouteTable::RouteTable(const Interconnect& interconnect) {
  for (const Interconnect::Link& link : interconnect.links)
    capacities_.push_back(link.bandwidth.value());
}

void RouteTable::use(std::uint32_t link, double weight, Path& path) {
  for (std::uint32_t u = path.first_use; u < path.first_use + path.uses; ++u)
    if (uses_[u].link == link) {
      uses_[u].weight += weight;
      return;
    }
  uses_.push_back({link, weight});
  ++path.uses;
}

std::uint32_t RouteTable::add(const Interconnect& interconnect, std::uint32_t from,
                              std::uint32_t to) {
  const auto* there = interconnect.route(from, to);
  const auto* back = interconnect.way_back > 0 ? interconnect.route(to, from) : there;
  if (there == nullptr || back == nullptr)
    throw Error(ErrorKind::model,
                fmt::format("no route is known between the nodes {} and {}", from, to),
                "a network that was recorded with the same program");
  Path path;
  path.first_use = static_cast<std::uint32_t>(uses_.size());
  path.latency = there->latency.value();
  path.penalty = path.latency;
  if (interconnect.window > Bytes{} && path.latency > 0)
    path.bound = interconnect.window.value() / (2 * path.latency);
  for (const std::uint32_t link : there->links) {
    path.penalty += interconnect.weight.value() / capacities_[link];
    path.bound = std::min(path.bound, capacities_[link]);
    if (interconnect.links[link].shared)
      use(link, 1, path);
  }
  if (interconnect.way_back > 0)
    for (const std::uint32_t link : back->links)
      if (interconnect.links[link].shared)
        use(link, interconnect.way_back, path);
  if (path.penalty <= 0)
    path.penalty = 1;
  path.alone = path.bound;
  for (const Use& u : uses(path))
    path.alone = std::min(path.alone, capacities_[u.link] / u.weight);
  paths_.push_back(path);
  return static_cast<std::uint32_t>(paths_.size() - 1);
}

void FairShares::reset(const RouteTable& table) {
  table_ = &table;
  links_.resize(table.capacities().size());
  for (LinkState& link : links_) {
    link.flows.clear();
    link.seen = 0;
  }
  for (FlowState& flow : flows_)
    flow = {};
  dirty_.clear();
  added_.clear();
  round_ = 0;
}

void FairShares::add(Flow flow, std::uint32_t path) {
  if (flow >= flows_.size())
    flows_.resize(flow + 1);
  flows_[flow] = {.path = &table_->path(path), .rate = 0, .seen = 0};
  for (const RouteTable::Use& use : table_->uses(*flows_[flow].path))
    links_[use.link].flows.push_back(flow);
  added_.push_back(flow);
}

void FairShares::remove(Flow flow) {
  for (const RouteTable::Use& use : table_->uses(*flows_[flow].path)) {
    auto& on_link = links_[use.link].flows;
    *std::ranges::find(on_link, flow) = on_link.back();
    on_link.pop_back();
    dirty_.push_back(use.link);
  }
}

void FairShares::see(std::uint32_t link) {
  if (links_[link].seen == round_)
    return;
  links_[link].seen = round_;
  concerned_links_.push_back(link);
}

void FairShares::see_flow(Flow flow) {
  if (flows_[flow].seen == round_)
    return;
  flows_[flow].seen = round_;
  concerned_.push_back(flow);
  for (const RouteTable::Use& use : table_->uses(*flows_[flow].path))
    see(use.link);
}

/// All that are connected with what has changed by links they share.
void FairShares::collect() {
  ++round_;
  concerned_links_.clear();
  concerned_.clear();
  for (const std::uint32_t link : dirty_)
    see(link);
  for (const Flow flow : added_)
    see_flow(flow);
  for (std::size_t i = 0; i < concerned_links_.size(); ++i)
    for (const Flow flow : links_[concerned_links_[i]].flows)
      see_flow(flow);
  dirty_.clear();
  added_.clear();
}

void FairShares::prepare() {
  for (const std::uint32_t l : concerned_links_) {
    links_[l].left = table_->capacities()[l];
    links_[l].usage = 0;
    links_[l].open = 0;
  }
  for (const Flow flow : concerned_)
    for (const RouteTable::Use& use : table_->uses(*flows_[flow].path)) {
      links_[use.link].usage += use.weight / flows_[flow].path->penalty;
      ++links_[use.link].open;
    }
  open_.assign(concerned_.begin(), concerned_.end());
}

/// The level (rate * penalty) at which the next link is full or the next flow at its bound.
double FairShares::next_level() {
  double level = unlimited;
  for (const std::uint32_t l : concerned_links_)
    if (links_[l].open > 0)
      level = std::min(level, links_[l].left / links_[l].usage);
  for (const Flow flow : open_)
    level = std::min(level, flows_[flow].path->bound * flows_[flow].path->penalty);
  for (const std::uint32_t l : concerned_links_)
    links_[l].saturated = links_[l].open > 0 && links_[l].left <= links_[l].usage * level * same;
  return level;
}

bool FairShares::stops_at(const FlowState& flow, double level) const {
  if (flow.path->bound * flow.path->penalty <= level * same)
    return true;
  return std::ranges::any_of(table_->uses(*flow.path), [&](const RouteTable::Use& use) {
    return links_[use.link].saturated;
  });
}

void FairShares::fix(FlowState& flow, double level) {
  flow.rate = std::min(flow.path->bound, level / flow.path->penalty);
  for (const RouteTable::Use& use : table_->uses(*flow.path)) {
    LinkState& link = links_[use.link];
    link.left = std::max(0.0, link.left - use.weight * flow.rate);
    link.usage -= use.weight / flow.path->penalty;
    --link.open;
  }
}

std::span<const FairShares::Flow> FairShares::share() {
  collect();
  if (concerned_.size() == 1) {
    flows_[concerned_[0]].rate = flows_[concerned_[0]].path->alone;
    return concerned_;
  }
  prepare();
  while (!open_.empty()) {
    const double level = next_level();
    std::erase_if(open_, [&](Flow flow) {
      const bool stops = stops_at(flows_[flow], level);
      if (stops)
        fix(flows_[flow], level);
      return stops;
    });
  }
  return concerned_;
}

} // namespace hypermile::network
