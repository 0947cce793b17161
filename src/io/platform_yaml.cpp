#include "io/platform_yaml.hpp"

#include "io/text_file.hpp"
#include "io/yaml_reader.hpp"
#include "units/parse.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

namespace hypermile::io {
namespace {

namespace fs = std::filesystem;

template <class Q> Q not_negative(const YamlReader& at, Q (*parse)(std::string_view)) {
  const Q quantity = at.as(parse);
  if (quantity < Q{})
    at.fail(fmt::format("'{}' is negative", at.text()));
  return quantity;
}

template <class Q> Q positive(const YamlReader& at, Q (*parse)(std::string_view)) {
  const Q quantity = at.as(parse);
  if (quantity <= Q{})
    at.fail(fmt::format("'{}' is not positive", at.text()));
  return quantity;
}

model::GearTable read_gears(const YamlReader& at) {
  if (at.is_sequence()) {
    std::vector<Hertz> frequencies;
    at.for_each(
        [&](const YamlReader& gear) { frequencies.push_back(positive(gear, parse_hertz)); });
    return at.located([&] { return model::GearTable{frequencies}; });
  }
  at.expect_keys({"max", "min", "step"});
  return at.located([&] {
    return model::gear_grid(positive(at.at("max"), parse_hertz),
                            positive(at.at("min"), parse_hertz),
                            positive(at.at("step"), parse_hertz));
  });
}

/// One value for all gears, or one per gear.
std::vector<Watts> read_watts(const YamlReader& at, std::size_t gears) {
  std::vector<Watts> watts;
  if (at.is_scalar())
    return std::vector<Watts>(gears, not_negative(at, parse_watts));
  at.for_each([&](const YamlReader& gear) { watts.push_back(not_negative(gear, parse_watts)); });
  if (watts.size() != gears)
    at.fail(fmt::format("has {} values, but the type has {} gears", watts.size(), gears),
            "one value per gear, or a single one for all");
  return watts;
}

std::vector<model::GearPower> read_power_table(const YamlReader& at, std::size_t gears) {
  at.expect_keys({"computing", "waiting", "idle"});
  const auto computing = read_watts(at.at("computing"), gears);
  const auto waiting = read_watts(at.at("waiting"), gears);
  const auto idle = read_watts(at.at("idle"), gears);
  std::vector<model::GearPower> power;
  for (std::size_t g = 0; g < gears; ++g) {
    if (computing[g] < waiting[g])
      at.fail(fmt::format("in gear {} computing draws less than waiting", g),
              "check the two lists: both are the power of the whole node");
    power.push_back({computing[g], waiting[g], idle[g]});
  }
  return power;
}

std::vector<model::GearPower> read_power(const YamlReader& at, const model::GearTable& gears) {
  if (!at.find("dynamic") && !at.find("static"))
    return read_power_table(at, gears.size());
  at.expect_keys({"dynamic", "static"});
  return model::cubic_power(gears, not_negative(at.at("dynamic"), parse_watts),
                            not_negative(at.at("static"), parse_watts));
}

std::vector<std::string> read_hosts(const YamlReader& type) {
  std::vector<std::string> hosts;
  const auto at = type.find("hosts");
  if (at && at->is_scalar())
    hosts.push_back(at->text());
  else if (at)
    at->for_each([&](const YamlReader& host) { hosts.push_back(host.text()); });
  return hosts;
}

model::Platform::Group read_type(const YamlReader& at, bool scalable) {
  const char* const count = scalable ? "share" : "count";
  at.expect_keys({"name", count, "cores", "speed", "gears", "power", "hosts", "site"});
  // Everything that can throw comes before the aggregate: g++ 12 destroys the members of a
  // braced list twice when a later one throws.
  std::string name = at.at("name").text();
  const std::size_t nodes = at.at(count).count();
  const auto cores = at.find("cores");
  const std::size_t cores_per_node = cores ? cores->count() : 1;
  const Speed speed = positive(at.at("speed"), parse_speed);
  model::GearTable gears = read_gears(at.at("gears"));
  auto power = read_power(at.at("power"), gears);
  auto hosts = read_hosts(at);
  const auto site = at.find("site");
  std::string site_name = site ? site->text() : "";
  return {{.name = std::move(name),
           .cores = cores_per_node,
           .speed = speed,
           .gears = std::move(gears),
           .power = std::move(power),
           .hosts = std::move(hosts),
           .site = std::move(site_name)},
          nodes};
}

model::Link read_link(const YamlReader& at) {
  at.expect_keys({"bandwidth", "latency"});
  return {positive(at.at("bandwidth"), parse_bandwidth),
          not_negative(at.at("latency"), parse_seconds)};
}

model::Network read_network(const YamlReader& at) {
  at.expect_keys({"link", "backbone", "between_sites"});
  model::Network network{read_link(at.at("link")), std::nullopt};
  if (const auto backbone = at.find("backbone"))
    network.backbone = read_link(*backbone);
  if (const auto distance = at.find("between_sites"))
    network.between_sites = read_link(*distance);
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

void expect_schema(const YamlReader& at) {
  constexpr std::string_view schema = "hypermile/platform/1";
  const YamlReader value = at.at("schema");
  if (value.text() != schema)
    value.fail(fmt::format("'{}' is not a schema that this version reads", value.text()),
               std::string(schema));
}

} // namespace

model::Platform parse_platform(const std::string& text, const std::string& file) {
  const YamlReader root = YamlReader::parse(text, file);
  root.expect_keys(
      {"schema", "name", "description", "source", "scalable", "ep_pair_work", "types", "network"});
  expect_schema(root);
  model::Platform platform;
  platform.name = root.at("name").text();
  platform.description = root.at("description").text();
  platform.network = read_network(root.at("network"));
  if (const auto scalable = root.find("scalable")) {
    if (scalable->text() != "yes" && scalable->text() != "no")
      scalable->fail(fmt::format("'{}' is neither yes nor no", scalable->text()));
    platform.scalable = scalable->text() == "yes";
  }
  if (const auto work = root.find("ep_pair_work"))
    platform.ep_pair_work = Work{positive(*work, parse_speed).value()};
  root.at("types").for_each([&](const YamlReader& type) {
    platform.groups.push_back(read_type(type, platform.scalable));
  });
  check_sites(root, platform);
  return platform;
}

model::Platform load_platform(const std::string& path) {
  return parse_platform(read_text_file(path), path);
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
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().extension() == ".yaml")
      names.push_back(entry.path().stem());
  std::ranges::sort(names);
  return names;
}

} // namespace hypermile::io
