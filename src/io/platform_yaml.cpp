#include "io/platform_yaml.hpp"

#include "io/components.hpp"
#include "io/machine_yaml.hpp"
#include "io/sensitivities_text.hpp"
#include "io/text_file.hpp"
#include "io/topology_yaml.hpp"
#include "units/parse.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>
#include <utility>

namespace hypermile::io {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> read_hosts(const YamlReader& type) {
  std::vector<std::string> hosts;
  const auto at = type.find("hosts");
  if (at && at->is_scalar())
    hosts.push_back(at->text());
  else if (at)
    at->for_each([&](const YamlReader& host) { hosts.push_back(host.text()); });
  return hosts;
}

/// "2x epyc-9354", or only the name.
model::NamedPart parse_part(const std::string& text) {
  const auto blank = text.find(' ');
  if (blank == std::string::npos)
    return {1, text};
  std::size_t count = 0;
  const char* const end = text.data() + blank;
  const auto [stop, status] = std::from_chars(text.data(), end, count);
  if (status != std::errc{} || stop + 1 != end || *stop != 'x' || count < 1 || count > 1000)
    throw Error(ErrorKind::config, fmt::format("'{}' is no part", text),
                "2x NAME, with a number up to 1000, or NAME");
  return {count, text.substr(blank + 1)};
}

const model::Component& find_part(const YamlReader& at, const std::string& name,
                                  Components& components) {
  return at.located([&]() -> const model::Component& { return components.get(name); });
}

/// The figures of a type are written out, those of a component, or follow from those of its parts.
struct Figures {
  model::Processor processor;
  std::vector<model::NamedPart> parts;
};

Figures read_parts(const YamlReader& at, Components& components) {
  std::vector<model::CountedComponent> counted;
  std::vector<model::NamedPart> parts;
  at.for_each([&](const YamlReader& entry) {
    const model::NamedPart part = entry.as(parse_part);
    counted.push_back({part.count, &find_part(entry, part.name, components)});
    parts.push_back({part.count, counted.back().component->name});
  });
  return {at.located([&] { return model::assemble_node(counted); }), std::move(parts)};
}

Figures read_whole_node(const YamlReader& at, Components& components) {
  const model::Component& node = find_part(at, at.text(), components);
  if (node.kind != model::ComponentKind::node)
    at.fail(fmt::format("'{}' is a {}, not a whole node", node.name, model::name_of(node.kind)),
            "parts: [2x CPU, ...]");
  return {std::get<model::Processor>(node.what), {{1, node.name}}};
}

Figures read_written_out(const YamlReader& at) {
  const auto cores = at.find("cores");
  const std::size_t cores_per_node = cores ? cores->count() : 1;
  const Speed speed = positive(at.at("speed"), parse_speed);
  model::GearTable gears = read_gears(at.at("gears"));
  auto power = read_power(at.at("power"), gears, [](const YamlReader& place) { return place; });
  return {{cores_per_node, speed, std::move(gears), std::move(power)}, {}};
}

Figures read_figures(const YamlReader& at, Components& components) {
  const auto component = at.find("component");
  const auto parts = at.find("parts");
  if (!component && !parts)
    return read_written_out(at);
  if (component && parts)
    parts->fail("is there beside component", "one of them");
  for (const char* const key : {"cores", "speed", "gears", "power"})
    if (const auto figure = at.find(key))
      figure->fail(fmt::format("is there beside {}", component ? "component" : "parts"),
                   "figures, or components that have them");
  return component ? read_whole_node(*component, components) : read_parts(*parts, components);
}

/// Power over the number of cores that compute.
std::vector<double> read_active(const YamlReader& type, std::size_t cores) {
  std::vector<double> active;
  const auto at = type.find("active_cores");
  if (!at)
    return active;
  at->for_each([&](const YamlReader& share) {
    active.push_back(share.as(parse_ratio));
    if (active.back() < (active.size() > 1 ? active[active.size() - 2] : 0) || active.back() > 1)
      share.fail("is less than the share before it, or not between 0 and 1",
                 "what more cores that compute draw is no less");
  });
  if (active.size() != cores + 1 || active.front() != 0 || active.back() != 1)
    at->fail(fmt::format("is not a share for each number of cores, from 0 of none to 1 of all {}",
                         cores),
             fmt::format("{} numbers, such as [0, ..., 1]", cores + 1));
  return active;
}

/// One for each gear; the frequencies of the gears are then those at which arithmetic was as fast.
std::vector<Watts> read_power_limits(const YamlReader& type, std::size_t gears) {
  std::vector<Watts> limits;
  const auto at = type.find("power_limits");
  if (!at)
    return limits;
  if (type.find("component") || type.find("parts"))
    at->fail("is there beside components, which do not say how fast they are under a limit",
             "gears and power as hypermile calibrate-power --backend power-limit writes them");
  at->for_each([&](const YamlReader& limit) {
    limits.push_back(positive(limit, parse_watts));
    if (limits.size() > 1 && limits.back() >= limits[limits.size() - 2])
      limit.fail(fmt::format("'{}' is not below the limit before it", limit.text()),
                 "list the limits from the highest to the lowest, as gears");
  });
  if (limits.size() != gears)
    at->fail(fmt::format("has {} limits for {} gears", limits.size(), gears), "one for each gear");
  return limits;
}

/// One for each gear.
std::vector<Hertz> read_uncore(const YamlReader& type, std::size_t gears) {
  std::vector<Hertz> limits;
  const auto at = type.find("uncore");
  if (!at)
    return limits;
  if (type.find("power_limits"))
    at->fail("is there beside power_limits", "one of them");
  at->for_each([&](const YamlReader& limit) {
    limits.push_back(positive(limit, parse_hertz));
    if (limits.size() > 1 && limits.back() > limits[limits.size() - 2])
      limit.fail(fmt::format("'{}' is above the frequency before it", limit.text()),
                 "list the frequencies from the highest to the lowest, as gears");
  });
  if (limits.size() != gears)
    at->fail(fmt::format("has {} frequencies for {} gears", limits.size(), gears),
             "one for each gear");
  return limits;
}

model::Link read_link(const YamlReader& at) {
  at.expect_keys({"bandwidth", "latency"});
  return {positive(at.at("bandwidth"), parse_bandwidth),
          not_negative(at.at("latency"), parse_seconds)};
}

model::Platform::Group read_type(const YamlReader& at, bool scalable, Components& components) {
  const char* const count = scalable ? "share" : "count";
  at.expect_keys({"name", count, "component", "parts", "cores", "speed", "gears", "power",
                  "active_cores", "hosts", "site", "memory", "sensitivity", "power_limits",
                  "uncore"});
  // Everything that can throw comes before the aggregate: g++ 12 destroys the members of a
  // braced list twice when a later one throws.
  std::string name = at.at("name").text();
  const std::size_t nodes = at.at(count).count();
  Figures figures = read_figures(at, components);
  auto hosts = read_hosts(at);
  auto active = read_active(at, figures.processor.cores);
  auto power_limits = read_power_limits(at, figures.processor.gears.size());
  auto uncore = read_uncore(at, figures.processor.gears.size());
  const bool known = power_limits.empty(); // else they only say how fast the gears are
  std::optional<model::Link> memory;
  if (const auto written = at.find("memory"))
    memory = read_link(*written);
  const auto reacts = at.find("sensitivity");
  const double sensitivity = reacts ? reacts->as(parse_sensitivity) : 1;
  const auto site = at.find("site");
  std::string site_name = site ? site->text() : "";
  return {{.name = std::move(name),
           .cores = figures.processor.cores,
           .speed = figures.processor.speed,
           .gears = std::move(figures.processor.gears),
           .power = std::move(figures.processor.power),
           .frequencies_known = known,
           .hosts = std::move(hosts),
           .site = std::move(site_name),
           .parts = std::move(figures.parts),
           .active = std::move(active),
           .memory = memory,
           .sensitivity = sensitivity,
           .power_limits = std::move(power_limits),
           .uncore = std::move(uncore)},
          nodes};
}

/// What a node is connected by: written out, or that of a component.
model::Network read_node_link(const YamlReader& at, Components& components) {
  const auto component = at.find("component");
  if (!component)
    return {.link = read_link(at.at("link")), .backbone = std::nullopt};
  if (const auto link = at.find("link"))
    link->fail("is there beside component", "one of them");
  const model::Component& network = find_part(*component, component->text(), components);
  if (network.kind != model::ComponentKind::network)
    component->fail(
        fmt::format("'{}' is a {}, not a network", network.name, model::name_of(network.kind)),
        "a component of kind network");
  return {.link = std::get<model::Link>(network.what),
          .backbone = std::nullopt,
          .between_sites = std::nullopt,
          .component = network.name};
}

model::Network read_network(const YamlReader& at, Components& components) {
  at.expect_keys({"component", "link", "topology", "switches", "backbone", "between_sites"});
  model::Network network = read_node_link(at, components);
  if (const auto backbone = at.find("backbone"))
    network.backbone = read_link(*backbone);
  if (const auto distance = at.find("between_sites"))
    network.between_sites = read_link(*distance);
  if (const auto topology = at.find("topology"))
    network.topology = read_topology(*topology);
  if (network.backbone && network.between_sites)
    at.at("backbone").fail("is there beside between_sites", "one of them");
  return network;
}

/// All types have a site or none has; there is a link between sites if there are two or more.
void check_sites(const YamlReader& root, const model::Platform& platform) {
  std::set<std::string> sites;
  for (const auto& [type, count] : platform.groups)
    sites.insert(type.site);
  const YamlReader network = root.at("network");
  if (sites.size() > 1 && sites.contains(""))
    root.at("types").fail("some have a site, others have none", "site: NAME in each of them");
  if (sites.size() > 1 && !platform.network.between_sites)
    network.fail("the key 'between_sites' is missing, but there are several sites",
                 "between_sites: {bandwidth: 10Gbps, latency: 5ms}");
  if (sites.size() == 1 && platform.network.between_sites)
    network.at("between_sites").fail("there are no two sites", "site: NAME in each of the types");
}

/// A topology other than a star has as many places as there are nodes, all of one type.
void check_topology(const YamlReader& root, const model::Platform& platform) {
  const auto at = root.at("network").find("topology");
  if (!at)
    return;
  if (platform.groups.size() > 1 || platform.scalable)
    at->fail("needs nodes of one type, and their number",
             "one type with count, or a network without topology: a star");
  if (platform.network.backbone)
    root.at("network").at("backbone").fail("is there beside topology", "one of them");
  const std::size_t places = at->located([&] { return places_of(platform.network.topology); });
  (void)at->located([&] { return switches_of(platform.network.topology); });
  if (places != platform.groups.front().count)
    at->fail(
        fmt::format("connects {} nodes, but there are {}", places, platform.groups.front().count),
        fmt::format("count: {}", places));
}

/// Only in a star are the ways between the ranks of a node its own.
void check_memory(const YamlReader& root, const model::Platform& platform) {
  const bool star = std::holds_alternative<model::Star>(platform.network.topology);
  for (const auto& [type, count] : platform.groups)
    if (type.memory && (!star || platform.network.backbone))
      root.at("types").fail(fmt::format("type '{}' has a memory, which is possible in a star "
                                        "without backbone only",
                                        type.name),
                            "without memory");
}

/// In a star as many as the file says, else one for each site; other topologies know it.
std::size_t count_switches(const YamlReader& at, const model::Platform& platform) {
  const auto count = at.find("count");
  if (std::holds_alternative<model::Star>(platform.network.topology)) {
    std::set<std::string> sites;
    for (const auto& group : platform.groups)
      sites.insert(group.type.site);
    return count ? count->count() : sites.size();
  }
  const std::size_t switches = switches_of(platform.network.topology);
  if (switches == 0)
    at.fail("there are none: the nodes of a torus pass messages on themselves");
  if (count)
    count->fail("is there beside topology", fmt::format("without it: there are {}", switches));
  return switches;
}

/// A switch with fewer ports than its place in the network needs would make the sum too small.
void check_ports(const YamlReader& at, const model::Platform& platform, std::size_t switches,
                 const model::Switch& box) {
  if (const std::size_t needed = ports_of(platform.network.topology); needed > box.ports)
    at.fail(fmt::format("has {} ports, but a switch of the topology needs {}", box.ports, needed),
            "a switch with more ports");
  std::size_t nodes = 0;
  for (const auto& group : platform.groups)
    nodes += group.count;
  if (std::holds_alternative<model::Star>(platform.network.topology) && !platform.scalable &&
      nodes > switches * box.ports)
    at.fail(fmt::format("has {} ports, but there are {} nodes", box.ports, nodes),
            "a larger switch, or more of them: count: 2");
}

std::optional<model::Switches>
read_switches(const YamlReader& network, const model::Platform& platform, Components& components) {
  const auto at = network.find("switches");
  if (!at)
    return std::nullopt;
  at->expect_keys({"component", "power", "count"});
  const std::size_t count = count_switches(*at, platform);
  const auto component = at->find("component");
  if (!component)
    return model::Switches{.count = count, .power = not_negative(at->at("power"), parse_watts)};
  if (const auto power = at->find("power"))
    power->fail("is there beside component", "one of them");
  const model::Component& found = find_part(*component, component->text(), components);
  const auto* const box = std::get_if<model::Switch>(&found.what);
  if (box == nullptr)
    component->fail(
        fmt::format("'{}' is a {}, not a switch", found.name, model::name_of(found.kind)),
        "a component of kind switch");
  check_ports(*component, platform, count, *box);
  return model::Switches{.count = count, .power = box->power, .component = found.name};
}

} // namespace

model::Platform parse_platform(const std::string& text, const std::string& file,
                               const ComponentSource& source) {
  const YamlReader root = YamlReader::parse(text, file);
  root.expect_keys(
      {"schema", "name", "description", "source", "scalable", "ep_pair_work", "types", "network"});
  expect_schema(root, "hypermile/platform/1");
  Components components(file, source);
  model::Platform platform;
  platform.name = root.at("name").text();
  platform.description = root.at("description").text();
  platform.network = read_network(root.at("network"), components);
  if (const auto scalable = root.find("scalable")) {
    if (scalable->text() != "yes" && scalable->text() != "no")
      scalable->fail(fmt::format("'{}' is neither yes nor no", scalable->text()));
    platform.scalable = scalable->text() == "yes";
  }
  if (const auto work = root.find("ep_pair_work"))
    platform.ep_pair_work = Work{positive(*work, parse_speed).value()};
  root.at("types").for_each([&](const YamlReader& type) {
    platform.groups.push_back(read_type(type, platform.scalable, components));
  });
  check_sites(root, platform);
  check_topology(root, platform);
  check_memory(root, platform);
  platform.network.switches = read_switches(root.at("network"), platform, components);
  components.check_swaps();
  for (const Swap& swap : source.swaps) // what is reported of it must not look like the original
    platform.name += fmt::format("{} {} for {}", &swap == &source.swaps.front() ? " with" : " and",
                                 swap.new_name, swap.old_name);
  return platform;
}

model::Platform load_platform(const std::string& path, const ComponentSource& source) {
  return parse_platform(read_text_file(path), path, source);
}

std::string find_platform(const std::string& name, const std::string& folder) {
  if (fs::is_directory(name))
    throw Error(ErrorKind::config, fmt::format("{} is a folder, not a platform", name),
                "the file that describes the platform");
  if (fs::exists(name))
    return name;
  const fs::path bundled = fs::path(folder) / (name + ".yaml");
  if (fs::is_regular_file(bundled))
    return bundled;
  throw Error(ErrorKind::config, fmt::format("there is no platform '{}'", name),
              fmt::format("a file, or one of {}", fmt::join(bundled_platforms(folder), ", ")));
}

std::vector<std::string> bundled_platforms(const std::string& folder) {
  return names_in(folder, ".yaml");
}

} // namespace hypermile::io
