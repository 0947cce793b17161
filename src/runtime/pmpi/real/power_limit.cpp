#include "runtime/pmpi/real/power_limit.hpp"

#include "control/limited_gears.hpp"
#include "runtime/exchange/messages.hpp"
#include "runtime/peak_shares.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace hypermile::runtime::pmpi {
namespace {

/// What its leader tells of a node.
struct Told {
  RankNode node;
  bool sets = false;    ///< its gears
  bool assumed = false; ///< its power
  bool metered = false;
};

/// Of all nodes, in the order of their leaders. Collective.
std::vector<Told> all_nodes(const JobCommunicators& job, const NodeConnection& connection) {
  std::string text;
  if (job.leads()) {
    const NodeAccess access = connection.access.value_or(NodeAccess{});
    text = fmt::format("{}{}{}", connection.sets_gears ? 's' : '-',
                       access.power_assumed ? 'a' : '-', access.meter.empty() ? '-' : 'm');
    const Bytes node = encode(RankReport{.rank = job.rank(), .node = connection.node});
    text.append(node.begin(), node.end());
  }
  std::vector<Told> nodes;
  for (const std::string& of_rank : job.from_all(text))
    if (constexpr std::size_t flags = 3; of_rank.size() > flags)
      nodes.push_back(
          {.node = std::get<RankReport>(decode({of_rank.begin() + flags, of_rank.end()})).node,
           .sets = of_rank[0] == 's',
           .assumed = of_rank[1] == 'a',
           .metered = of_rank[2] == 'm'});
  return nodes;
}

void warn(const JobCommunicators& job, NodeConnection& connection, const std::string& text) {
  if (text.empty() || job.rank() != 0)
    return;
  fmt::print(stderr, "hypermile: warning: {}\n", text);
  if (connection.access)
    connection.access->remarks.push_back(text);
}

/// An emulated node's leader is its first rank, not that of the machine that emulates it.
std::vector<Told> emulated_nodes(const JobCommunicators& job, const NodeConnection& connection) {
  std::vector<Told> nodes;
  for (RankNode& node : nodes_of_ranks(job, connection.node)) {
    Told told{.node = std::move(node), .sets = connection.sets_gears};
    const auto same = [&](const Told& other) { return other.node.name == told.node.name; };
    if (std::ranges::none_of(nodes, same))
      nodes.push_back(std::move(told));
  }
  return nodes;
}

/// Whether the node could be put into its fastest gear, by its leader. Collective on the machine.
bool take(const JobCommunicators& job, NodeConnection& connection, model::Gear fastest) {
  bool taken = true;
  const bool sets = connection.computation != nullptr || job.leads();
  try {
    if (sets)
      connection.actuator->set_gear(fastest);
    else
      connection.actuator->expect_gear(fastest);
  } catch (const std::exception& error) {
    taken = false;
    if (connection.access)
      connection.access->remarks.emplace_back(error.what());
  }
  if (connection.computation != nullptr)
    return taken;
  return !job.from_leader(taken ? std::vector{1.0} : std::vector<double>{}).empty();
}

void limit(const JobCommunicators& job, NodeConnection& connection, model::Gear fastest) {
  if (!take(job, connection, fastest) || fastest == 0)
    return;
  connection.node.type = limited_to(connection.node.type, fastest);
  connection.actuator =
      std::make_unique<control::LimitedGears>(std::move(connection.actuator), fastest);
}

} // namespace

void limit_power(const JobCommunicators& job, NodeConnection& connection,
                 std::optional<select::Request>& request) {
  if (!request)
    return;
  const auto average = request->constraints.average_power_cap;
  const auto peak = request->constraints.peak_power_cap;
  if (!average && !peak)
    return;
  const bool emulated = connection.computation != nullptr;
  const auto nodes = emulated ? emulated_nodes(job, connection) : all_nodes(job, connection);
  std::vector<model::NodeType> types; // as far as their gears can be set
  for (const Told& told : nodes)
    types.push_back(told.sets ? told.node.type : only_gear0(told.node.type));
  for (const std::string& problem : unkept_caps(types, {average, peak}))
    warn(job, connection, problem);
  const bool assumed = std::ranges::any_of(nodes, &Told::assumed);
  if (assumed && (peak || !std::ranges::all_of(nodes, &Told::metered)))
    warn(job, connection,
         "the power of some node is assumed, and so is whether the cap on power is kept; try: "
         "--platform with the power of all nodes, as 'hypermile calibrate-power' measures it");
  if (!peak || std::ranges::none_of(nodes, &Told::sets))
    return;
  request->constraints.peak_power_cap.reset();
  const auto own = std::ranges::find_if(
      nodes, [&](const Told& told) { return told.node.name == connection.node.name; });
  limit(job, connection,
        peak_shares(types, *peak).fastest.at(static_cast<std::size_t>(own - nodes.begin())));
}

} // namespace hypermile::runtime::pmpi
