#include "cli/report_gears.hpp"

#include "cli/explain_subjects.hpp"
#include "cli/gear_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace hypermile::cli {

using model::Gear;
using runtime::RunReport;
using simulate::ReportFolder;

std::vector<std::string> names_of(const ReportFolder& folder) {
  std::vector<std::string> names;
  for (const auto& run : folder.runs())
    names.push_back(run.name);
  return names;
}

const ReportFolder::Run& named_run(const ReportFolder& folder, const std::string& name) {
  for (const auto& run : folder.runs())
    if (run.name == name || run.method == name)
      return run;
  throw NotThere(fmt::format("there is no run '{}' in {}", name, folder.path()),
                 fmt::format("{}", fmt::join(names_of(folder), ", ")));
}

/// `exact`, else the first run with gears, else the unscaled one.
const ReportFolder::Run& usual_run(const ReportFolder& folder) {
  const auto& runs = folder.runs();
  const auto exact = std::ranges::find(runs, "exact", &ReportFolder::Run::method);
  if (exact != runs.end())
    return *exact;
  for (const auto& run : runs)
    if (std::ranges::any_of(folder.report(run).ranks,
                            [](const auto& rank) { return rank.gear != 0; }))
      return run;
  return runs.front();
}

std::vector<simulate::PlacedNode> placed_nodes_of(const RunReport& run) {
  std::vector<simulate::PlacedNode> nodes;
  for (const auto& rank : run.ranks)
    if (std::ranges::find(nodes, rank.node.name, &simulate::PlacedNode::name) == nodes.end())
      nodes.push_back({rank.node.name, rank.node.type.name, rank.node.type.gears.size()});
  return nodes;
}

std::vector<Gear> gears_at_the_end(const RunReport& run,
                                   const std::vector<simulate::PlacedNode>& nodes) {
  std::vector<Gear> gears;
  for (const auto& node : nodes) {
    const auto rank =
        std::ranges::find_if(run.ranks, [&](const auto& r) { return r.node.name == node.name; });
    if (rank == run.ranks.end() || rank->gear >= node.gears)
      throw Error(ErrorKind::config,
                  "the reports of the runs are not of one simulation, as their nodes differ",
                  "simulate again, into an empty folder");
    gears.push_back(rank->gear);
  }
  return gears;
}

std::vector<Gear> given_gears(const std::string& gears, const std::string& plan,
                              const std::vector<simulate::PlacedNode>& nodes) {
  GearOptions given;
  if (plan.empty())
    given.gears.push_back(gears);
  else
    given.plans.push_back(plan);
  const auto all = read_gears(given);
  if (all.size() != 1)
    throw NotThere(fmt::format("{} has {} plans", plan, all.size()),
                   "one of them, in a file of its own");
  return gears_of_nodes(all.front(), nodes);
}

} // namespace hypermile::cli
