#include "io/platform_text.hpp"

#include "io/topology_yaml.hpp"
#include "units/parse.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <vector>

namespace hypermile::io {
namespace {

/// With a prefix where no digit is lost by that.
template <class Q>
std::string exact(Q quantity, std::string_view prefix, double factor, std::string_view unit,
                  Q (*parse)(std::string_view)) {
  std::string text = fmt::format("{:g}{}{}", quantity.value() / factor, prefix, unit);
  return parse(text) == quantity ? text : fmt::format("{}{}", quantity.value(), unit);
}

/// In quotes, so that no character has a meaning.
std::string quoted_yaml(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text)
    if (c == '"' || c == '\\')
      quoted += fmt::format("\\{}", c);
    else if (static_cast<unsigned char>(c) < ' ')
      quoted += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      quoted += c;
  return quoted + "\"";
}

std::string gears_line(const model::GearTable& gears) {
  std::vector<std::string> texts;
  for (model::Gear gear = 0; gear < gears.size(); ++gear)
    texts.push_back(exact(gears.frequency(gear), "G", 1e9, "Hz", parse_hertz));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

std::string watts_line(const std::vector<model::GearPower>& power,
                       Watts model::GearPower::*member) {
  std::vector<std::string> texts;
  for (const model::GearPower& gear : power)
    texts.push_back(exact(gear.*member, "", 1, "W", parse_watts));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

/// Bits per second where no digit is lost by that, else bytes.
std::string bandwidth_text(Bandwidth bandwidth) {
  const std::string bits = fmt::format("{:g}Gbps", bandwidth.value() * 8 / 1e9);
  return parse_bandwidth(bits) == bandwidth ? bits : fmt::format("{}Bps", bandwidth.value());
}

std::string link_line(const model::Link& link) {
  return fmt::format("{{bandwidth: {}, latency: {}}}", bandwidth_text(link.bandwidth),
                     exact(link.latency, "u", 1e-6, "s", parse_seconds));
}

std::string type_lines(const model::Platform::Group& group, bool scalable) {
  const model::NodeType& type = group.type;
  std::string text = fmt::format("  - name: {}\n", quoted_yaml(type.name));
  text += fmt::format("    {}: {}\n", scalable ? "share" : "count", group.count);
  text += fmt::format("    cores: {}\n", type.cores);
  text += fmt::format("    speed: {}\n", exact(type.speed, "G", 1e9, "f", parse_speed));
  text += fmt::format("    gears: {}\n", gears_line(type.gears));
  text += "    power:\n";
  text +=
      fmt::format("      computing: {}\n", watts_line(type.power, &model::GearPower::computing));
  text += fmt::format("      waiting: {}\n", watts_line(type.power, &model::GearPower::waiting));
  text += fmt::format("      idle: {}\n", watts_line(type.power, &model::GearPower::idle));
  if (!type.power_limits.empty()) {
    std::vector<std::string> limits;
    for (const Watts limit : type.power_limits)
      limits.push_back(exact(limit, "", 1, "W", parse_watts));
    text += fmt::format("    power_limits: [{}]\n", fmt::join(limits, ", "));
  }
  if (!type.uncore.empty()) {
    std::vector<std::string> limits;
    for (const Hertz limit : type.uncore)
      limits.push_back(exact(limit, "G", 1e9, "Hz", parse_hertz));
    text += fmt::format("    uncore: [{}]\n", fmt::join(limits, ", "));
  }
  if (!type.active.empty())
    text += fmt::format("    active_cores: [{}]\n", fmt::join(type.active, ", "));
  if (!type.hosts.empty()) {
    std::vector<std::string> hosts;
    for (const std::string& host : type.hosts)
      hosts.push_back(quoted_yaml(host));
    text += fmt::format("    hosts: [{}]\n", fmt::join(hosts, ", "));
  }
  if (!type.site.empty())
    text += fmt::format("    site: {}\n", quoted_yaml(type.site));
  if (type.memory)
    text += fmt::format("    memory: {}\n", link_line(*type.memory));
  if (type.sensitivity != 1)
    text += fmt::format("    sensitivity: {}\n", type.sensitivity);
  return text;
}

} // namespace

std::string platform_text(const model::Platform& platform) {
  std::string text = "schema: hypermile/platform/1\n";
  text += fmt::format("name: {}\n", quoted_yaml(platform.name));
  text += fmt::format("description: {}\n", quoted_yaml(platform.description));
  if (platform.scalable)
    text += "scalable: yes\n";
  if (platform.ep_pair_work)
    text += fmt::format("ep_pair_work: {}\n",
                        exact(Speed{platform.ep_pair_work->value()}, "", 1, "f", parse_speed));
  text += "types:\n";
  for (const auto& group : platform.groups)
    text += type_lines(group, platform.scalable);
  text += fmt::format("network:\n  link: {}\n", link_line(platform.network.link));
  if (const std::string topology = topology_text(platform.network.topology); !topology.empty())
    text += fmt::format("  topology: {}\n", topology);
  if (const auto& switches = platform.network.switches) {
    const bool counted = std::holds_alternative<model::Star>(platform.network.topology);
    text += fmt::format("  switches: {{power: {}{}}}\n",
                        exact(switches->power, "", 1, "W", parse_watts),
                        counted ? fmt::format(", count: {}", switches->count) : "");
  }
  if (platform.network.backbone)
    text += fmt::format("  backbone: {}\n", link_line(*platform.network.backbone));
  if (platform.network.between_sites)
    text += fmt::format("  between_sites: {}\n", link_line(*platform.network.between_sites));
  return text;
}

} // namespace hypermile::io
