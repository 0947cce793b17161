#include "simulate/placement.hpp"

#include "simulate/platform_xml.hpp"
#include "simulate/xml_hosts.hpp"

#include "io/platform_yaml.hpp"
#include "io/text_file.hpp"
#include "units/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

namespace hypermile::simulate {
namespace {

namespace fs = std::filesystem;

SimGridPlatform place_on_hosts(const std::string& file, std::optional<std::size_t> ranks,
                               const Installation& installation, const Workspace& workspace) {
  SimGridPlatform result;
  auto& places = result.host_of_rank;
  for (const auto& [node, cores] : list_hosts(file, installation, workspace)) {
    if (places.size() < ranks.value_or(places.size() + 1))
      result.nodes.push_back(node);
    places.insert(places.end(), cores, node.name);
  }
  if (ranks.value_or(0) > places.size())
    throw Error(
        ErrorKind::config,
        fmt::format("{} ranks do not fit on {}, which has {} cores", *ranks, file, places.size()),
        "fewer ranks (-n) or a larger platform");
  places.resize(ranks.value_or(places.size()));
  return result;
}

std::size_t ranks_for(const model::Platform& platform, std::optional<std::size_t> asked) {
  if (asked)
    return *asked;
  if (platform.scalable)
    throw Error(ErrorKind::config,
                fmt::format("platform '{}' has as many nodes as there are ranks, but their number "
                            "is not given",
                            platform.name),
                "-n 8, say");
  std::size_t cores = 0;
  for (const auto& [type, count] : platform.groups)
    cores += count * type.cores;
  return cores;
}

} // namespace

Placement make_placement(const Experiment& experiment, const Installation& installation,
                         const Workspace& workspace) {
  const std::string file = io::find_platform(experiment.platform, installation.platform_folder);
  Placement placement;
  SimGridPlatform platform;
  placement.host_file = workspace.path("hosts.txt");
  placement.platform_file = workspace.path("platform.xml");
  const std::string text = io::read_text_file(file);
  if (is_xml(text)) {
    if (experiment.layout != model::Layout{})
      throw Error(
          ErrorKind::config,
          fmt::format("--map-by: on {}, in SimGrid's XML, ranks fill one host after the other",
                      file),
          "a platform in hypermile's YAML");
    if (!experiment.swaps.empty())
      throw Error(ErrorKind::config,
                  fmt::format("--swap: {} is SimGrid's XML, which has no components", file),
                  "a platform in hypermile's YAML");
    if (experiment.waiting == Waiting::spinning)
      throw Error(ErrorKind::config,
                  fmt::format("{} says itself what its hosts draw while ranks wait", file),
                  "without --waiting, and in wattage_per_state the power of all cores for idle "
                  "and epsilon, too");
    platform = place_on_hosts(file, experiment.ranks, installation, workspace);
    platform.xml = text;
    placement.platform_name = fs::path(file).stem();
  } else {
    const auto described = io::parse_platform(
        text, file, {.platform_folder = installation.platform_folder, .swaps = experiment.swaps});
    if (const auto curve = std::ranges::find_if(
            described.groups, [](const auto& group) { return !group.type.active.empty(); });
        curve != described.groups.end())
      throw Error(ErrorKind::unsupported,
                  fmt::format("the power of type '{}' in {} is no line over the cores that compute "
                              "(active_cores), which is all that SimGrid knows",
                              curve->type.name, file),
                  "--fast with --model, or the type without active_cores");
    platform = to_simgrid(described, ranks_for(described, experiment.ranks), experiment.waiting,
                          experiment.layout);
    placement.idle_nodes = platform.idle_nodes;
    placement.platform_name = described.name;
    placement.ep_pair_work = described.ep_pair_work;
    if (const auto& switches = described.network.switches)
      placement.switch_power = switches->power * static_cast<double>(switches->count);
  }
  placement.ranks = platform.host_of_rank.size();
  placement.nodes = std::move(platform.nodes);
  io::write_text_file(placement.platform_file, platform.xml);
  io::write_text_file(placement.host_file,
                      fmt::format("{}\n", fmt::join(platform.host_of_rank, "\n")));
  return placement;
}

std::vector<std::string> simgrid_options(const Placement& placement, const std::string& folder,
                                         Copies copies) {
  return {"--cfg=smpi/np:" + std::to_string(placement.ranks),
          "--cfg=smpi/hostfile:" + placement.host_file, "--cfg=smpi/tmpdir:" + folder,
          fmt::format("--cfg=smpi/privatization:{}", copies == Copies::one ? "no" : "dlopen"),
          // The interposer charges computation itself; see docs/simulation.md.
          "--cfg=smpi/simulate-computation:no", "--cfg=smpi/host-speed:1f",
          "--cfg=network/model:SMPI", "--cfg=surf/precision:1e-9", "--cfg=plugin:host_energy",
          "--log=xbt_cfg.thres:warning", "--log=host_energy.thres:warning"};
}

std::string check_simgrid_option(const std::string& option) {
  const auto colon = option.find(':');
  if (colon == 0 || colon == std::string::npos || colon + 1 == option.size() ||
      option.find_first_of(" \t\n") < colon)
    return fmt::format("'{}' is not KEY:VALUE; try: smpi/async-small-thresh:65536", option);
  const std::string own = "--cfg=" + option.substr(0, colon + 1);
  for (const std::string& set : simgrid_options({}, "", Copies::each_rank))
    if (set.starts_with(own) || set + ":" == own)
      return fmt::format("hypermile sets {} itself", option.substr(0, colon));
  return "";
}

} // namespace hypermile::simulate
