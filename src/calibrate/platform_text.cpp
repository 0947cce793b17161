#include "calibrate/calibration.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>

namespace hypermile::calibrate {
namespace {

/// A comment of lines that fit a terminal.
std::string comment(const std::string& text) {
  constexpr std::size_t width = 98;
  std::string lines;
  std::string line = "#";
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (line.size() > 1 && line.size() + 1 + word.size() > width) {
      lines += line + '\n';
      line = "#  ";
    }
    line += ' ' + word;
  }
  return lines + line + '\n';
}

/// A name in quotes, without what would end them.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text)
    result += c == '"' || c == '\\' || static_cast<unsigned char>(c) < ' ' ? '_' : c;
  return result + '"';
}

std::string list_of_gears(const Calibration& c, bool measured) {
  std::vector<model::Gear> gears;
  for (model::Gear gear = 0; gear < c.node.gears.size(); ++gear)
    if (is_measured(c, gear) == measured)
      gears.push_back(gear);
  return fmt::format("{} {}", gears.size() == 1 ? "gear" : "gears", fmt::join(gears, ", "));
}

std::string heading(const Calibration& c) {
  std::string text = comment(fmt::format(
      "Node {} on {}, by 'hypermile calibrate-power': {} core{} computing, waiting and idling for "
      "{:g} s each.",
      c.node.name, c.date, c.node.cores, c.node.cores == 1 ? "" : "s", c.seconds.value()));
  const std::string others = list_of_gears(c, false);
  if (c.meter.empty())
    text += comment("No power is measured. That in gear 0 is assumed, as --assume says; that in "
                    "the others follows from it by [F16] Eq. 1.14.");
  else
    text +=
        comment(fmt::format("Measured: {}, in {}.{}", c.meter, list_of_gears(c, true),
                            c.measured.size() == c.node.gears.size()
                                ? ""
                                : " Not measured: " + others +
                                      ", whose power follows from the others ([F16] Eq. 3.15)."));
  if (!c.node.frequencies_known)
    text += comment("Frequency: not known, as this machine does not tell it. 1 GHz stands for it.");
  if (!c.node.power_limits.empty())
    text +=
        comment("Gears are limits on the power of each processor. Their frequencies are those at "
                "which the cores would compute as fast as they did, and are not set.");
  text += comment("Network: not measured. 1 Gbit/s Ethernet stands for it.");
  for (const std::string& remark : c.remarks)
    text += comment("Note: " + remark);
  return text;
}

std::string in_list(const std::vector<Hertz>& frequencies) {
  std::vector<std::string> texts;
  for (const Hertz frequency : frequencies)
    texts.push_back(fmt::format("{:.9g}GHz", frequency.value() / 1e9));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

std::string frequencies(const model::GearTable& gears) {
  std::vector<Hertz> all;
  for (model::Gear gear = 0; gear < gears.size(); ++gear)
    all.push_back(gears.frequency(gear));
  return in_list(all);
}

std::string power_limits(const Calibration& c) {
  std::vector<std::string> texts;
  for (const Watts limit : c.node.power_limits)
    texts.push_back(fmt::format("{:.9g}W", limit.value()));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

std::string watts(const Calibration& c, Watts model::GearPower::*kind) {
  std::vector<std::string> texts;
  for (const model::GearPower& power : c.power)
    texts.push_back(fmt::format("{:.2f}W", (power.*kind).value()));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

} // namespace

std::string platform_yaml(const Calibration& c) {
  std::string text = heading(c);
  const std::string origin = c.meter.empty() ? "power assumed, speed measured" : c.meter;
  text += "schema: hypermile/platform/1\n";
  text += fmt::format("name: {}\n", quoted(c.node.name));
  text += fmt::format("description: one node, by hypermile calibrate-power\n");
  text += fmt::format("source: {}\n",
                      quoted(fmt::format("hypermile calibrate-power, {}: {}", c.date, origin)));
  text += "ep_pair_work: 1f # a speed is how many pairs of NAS EP a core draws in a second\n";
  text += "types:\n";
  text += fmt::format("  - name: {}\n", quoted(c.node.name));
  text += "    count: 1 # as many of these nodes as you have\n";
  text += fmt::format("    cores: {}\n", c.node.cores);
  text += fmt::format("    speed: {:.4f}Mf\n", c.pairs_per_second / 1e6);
  text += fmt::format("    gears: {}\n", frequencies(c.node.gears));
  if (!c.node.power_limits.empty())
    text += fmt::format("    power_limits: {}\n", power_limits(c));
  if (!c.node.uncore.empty())
    text += fmt::format("    uncore: {}\n", in_list(c.node.uncore));
  text += "    power:\n";
  text += fmt::format("      computing: {}\n", watts(c, &model::GearPower::computing));
  text += fmt::format("      waiting: {}\n", watts(c, &model::GearPower::waiting));
  text += fmt::format("      idle: {}\n", watts(c, &model::GearPower::idle));
  text += "network:\n  link: {bandwidth: 1Gbps, latency: 50us}\n";
  return text;
}

} // namespace hypermile::calibrate
