#include "launch/srun.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace hypermile::launch {
namespace {

/// MAX_HET_JOB_COMPS of Slurm.
constexpr std::size_t most_components = 128;

/// Nodes that follow each other and are alike.
struct Component {
  std::string kind;
  long long khz = 0;
  std::size_t tasks_per_node = 0;
  std::size_t nodes = 0;

  [[nodiscard]] bool is_like(const Component& other) const {
    return kind == other.kind && khz == other.khz && tasks_per_node == other.tasks_per_node;
  }
};

long long in_khz(const SrunRank& rank) {
  if (!rank.frequency)
    throw Error(ErrorKind::unsupported,
                fmt::format("the frequencies of node {} are not known, so there is no --cpu-freq",
                            rank.node),
                "a platform that has them");
  return std::llround(rank.frequency->value() / 1000);
}

/// A component for each node.
std::vector<Component> nodes_of(const std::vector<SrunRank>& ranks) {
  std::vector<Component> nodes;
  std::set<std::size_t> seen;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    const SrunRank& rank = ranks[r];
    if (r == 0 || rank.node != ranks[r - 1].node) {
      if (!seen.insert(rank.node).second)
        throw Error(ErrorKind::unsupported,
                    fmt::format("the ranks of node {} do not follow each other, as those of a step "
                                "with several components do",
                                rank.node),
                    "ranks in blocks: mpirun --map-by core, srun --distribution=block");
      nodes.push_back({.kind = rank.kind, .khz = in_khz(rank), .tasks_per_node = 0, .nodes = 1});
    }
    ++nodes.back().tasks_per_node;
  }
  return nodes;
}

std::vector<Component> components_of(const std::vector<SrunRank>& ranks) {
  std::vector<Component> components;
  for (const Component& node : nodes_of(ranks))
    if (!components.empty() && components.back().is_like(node))
      ++components.back().nodes;
    else
      components.push_back(node);
  if (components.size() > most_components)
    throw Error(ErrorKind::unsupported,
                fmt::format("the step would have {} components; Slurm takes {}", components.size(),
                            most_components),
                "srun --hypermile, which sets the gears itself");
  return components;
}

} // namespace

std::string srun_command(const std::vector<SrunRank>& ranks, const std::string& command) {
  const auto components = components_of(ranks);
  const bool several_kinds = std::ranges::any_of(
      components, [&](const Component& c) { return c.kind != components.front().kind; });
  std::string kinds;
  std::string line = "srun";
  for (std::size_t i = 0; i < components.size(); ++i) {
    const auto& [kind, khz, tasks, nodes] = components[i];
    if (several_kinds)
      kinds += fmt::format("# component {}: node{} of {}\n", i, nodes == 1 ? "" : "s", kind);
    line += fmt::format("{} --nodes={} --ntasks={} --ntasks-per-node={} --cpu-freq={} {}",
                        i == 0 ? "" : " : \\\n    ", nodes, nodes * tasks, tasks, khz, command);
  }
  return kinds + line + "\n";
}

} // namespace hypermile::launch
