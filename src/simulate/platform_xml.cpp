#include "simulate/platform_xml.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace hypermile::simulate {
namespace {

using Out = std::back_insert_iterator<std::string>;

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
    case '&':
      safe += "&amp;";
      break;
    case '<':
      safe += "&lt;";
      break;
    case '"':
      safe += "&quot;";
      break;
    default:
      safe += c;
    }
  }
  return safe;
}

template <class Value> std::string per_gear(const model::NodeType& type, const Value& value) {
  std::vector<std::string> values;
  for (model::Gear g = 0; g < type.gears.size(); ++g)
    values.push_back(value(g));
  return fmt::format("{}", fmt::join(values, ","));
}

void write_host(Out out, const model::NodeType& type, const std::vector<model::GearPower>& powers,
                const std::string& name) {
  // All digits: a speed that was rounded would not stretch computation by exactly S.
  const auto speed = per_gear(type, [&](model::Gear g) {
    return fmt::format("{:.17g}f", (type.speed / type.gears.scale(g)).value());
  });
  const auto power = per_gear(type, [&](model::Gear g) {
    const auto& p = powers[g];
    return fmt::format("{0:.17g}:{0:.17g}:{1:.17g}", p.waiting.value(), p.computing.value());
  });
  const auto frequencies = per_gear(type, [&](model::Gear g) {
    return fmt::format("{:.6g}", type.gears.frequency(g).value() / 1e9);
  });
  fmt::format_to(out,
                 "    <host id=\"{}\" speed=\"{}\" core=\"{}\">\n"
                 "      <prop id=\"wattage_per_state\" value=\"{}\"/>\n"
                 "      <prop id=\"frequencies_ghz\" value=\"{}\"/>\n"
                 "      <prop id=\"node_type\" value=\"{}\"/>\n"
                 "    </host>\n",
                 name, speed, type.cores, power, frequencies, escaped(type.name));
}

void write_link(Out out, const std::string& tag, const std::string& id, const model::Link& link,
                const char* more) {
  fmt::format_to(out, "    <{} id=\"{}\" bandwidth=\"{:.17g}Bps\" latency=\"{:.17g}s\"{}/>\n", tag,
                 id, link.bandwidth.value(), link.latency.value(), more);
}

} // namespace

std::vector<model::GearPower> spinning(const model::NodeType& type, std::size_t ranks) {
  const double busy = static_cast<double>(ranks) / static_cast<double>(type.cores);
  std::vector<model::GearPower> power = type.power;
  for (model::GearPower& gear : power)
    gear.computing = gear.waiting = gear.waiting + (gear.computing - gear.waiting) * busy;
  return power;
}

SimGridPlatform to_simgrid(const model::Platform& platform, std::size_t ranks, Waiting waiting) {
  SimGridPlatform result;
  const auto nodes = model::place(platform, ranks);
  auto names = model::names_of(nodes);
  std::vector<std::vector<model::GearPower>> power;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const model::NodeType& type = *nodes[i];
    result.nodes.push_back({names[i], type.name, type.gears.size()});
    const std::size_t placed = std::min(type.cores, ranks - result.host_of_rank.size());
    result.host_of_rank.insert(result.host_of_rank.end(), placed, names[i]);
    power.push_back(waiting == Waiting::spinning ? spinning(type, placed) : type.power);
    names[i] = escaped(names[i]);
  }
  Out out{result.xml};
  result.xml = "<?xml version=\"1.0\"?>\n"
               "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
               "<platform version=\"4.1\">\n"
               "  <zone id=\"cluster\" routing=\"Cluster\">\n";
  for (std::size_t i = 0; i < nodes.size(); ++i)
    write_host(out, *nodes[i], power[i], names[i]);
  for (const auto& name : names)
    write_link(out, "link", "link-" + name, platform.network.link,
               " sharing_policy=\"SPLITDUPLEX\"");
  for (const auto& name : names)
    fmt::format_to(out, "    <host_link id=\"{0}\" up=\"link-{0}_UP\" down=\"link-{0}_DOWN\"/>\n",
                   name);
  if (platform.network.backbone)
    write_link(out, "backbone", "backbone", *platform.network.backbone, "");
  result.xml += "  </zone>\n</platform>\n";
  return result;
}

} // namespace hypermile::simulate
