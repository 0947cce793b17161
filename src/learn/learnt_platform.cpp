#include "learn/learnt_platform.hpp"

#include "io/platform_text.hpp"
#include "model/setting.hpp"
#include "runtime/decide/power_learner.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace hypermile::learn {
namespace {

using runtime::LearntPower;

/// Its gears, as a platform has them.
model::NodeType without_beaten(const LearntPower& learnt) {
  model::NodeType type = learnt.type;
  std::vector<Hertz> frequencies;
  type.power.clear();
  type.power_limits.clear();
  type.uncore.clear();
  for (model::Gear g = 0; g < learnt.gears.size(); ++g) {
    if (learnt.gears[g].beaten_by)
      continue;
    frequencies.push_back(learnt.type.gears.frequency(g));
    type.power.push_back(learnt.table[g]);
    if (!learnt.type.power_limits.empty())
      type.power_limits.push_back(learnt.type.power_limits[g]);
    if (!learnt.type.uncore.empty())
      type.uncore.push_back(learnt.type.uncore[g]);
  }
  type.gears = model::GearTable(std::move(frequencies));
  return type;
}

/// Each node once, by their types in the order of the ranks.
std::vector<model::Platform::Group> groups_of(const Memory& memory, const std::string& file) {
  std::vector<model::Platform::Group> groups;
  for (const runtime::RankNode& node : memory.identity.nodes) {
    const LearntPower* const learnt = runtime::learnt_of(memory.power, node.type);
    if (learnt == nullptr)
      throw Error(
          ErrorKind::config,
          fmt::format("{}: no meter has taught what nodes of type {} draw", file, node.type.name),
          "'hypermile doctor' on such a node says what can be measured");
    auto group = std::ranges::find(groups, node.type.name,
                                   [](const auto& known) { return known.type.name; });
    if (group == groups.end()) {
      group = groups.insert(groups.end(), {.type = learnt->type, .count = 0});
      group->type = without_beaten(*learnt);
      group->type.hosts.clear();
      if (group->type.speed == Speed{1}) // no platform told it
        group->type.speed = Speed{1e9};
    }
    if (std::ranges::find(group->type.hosts, node.name) == group->type.hosts.end()) {
      group->type.hosts.push_back(node.name);
      ++group->count;
    }
  }
  return groups;
}

std::string interval(const estimate::Estimate& watts) {
  return fmt::format("{:.1f} W ({:.1f} to {:.1f})", watts.value, watts.low, watts.high);
}

std::string comments_of(const LearntPower& learnt) {
  std::string text =
      fmt::format("# Type {}, gears that were metered, with 95 % intervals:\n", learnt.type.name);
  for (model::Gear g = 0; g < learnt.gears.size(); ++g)
    if (const auto& gear = learnt.gears[g]; gear.metered > Seconds{})
      text += fmt::format(
          "#   {}: computing {}, waiting {}; {:.1f} s{}\n", model::setting_name(learnt.type, g),
          interval(gear.computing), interval(gear.waiting), gear.metered.value(),
          gear.beaten_by ? fmt::format("; left out, as {} beats it",
                                       model::setting_name(learnt.type, *gear.beaten_by))
                         : "");
  if (!learnt.why_not.empty())
    text += fmt::format("#   gears were not chosen by it: {}\n", learnt.why_not);
  return text;
}

} // namespace

std::string learnt_platform(const Memory& memory, const std::string& file) {
  constexpr Bandwidth gigabit{125e6};
  constexpr Seconds latency{50e-6};
  model::Platform platform{.name = "learnt",
                           .description =
                               fmt::format("learnt from {}", command_of(memory.identity)),
                           .groups = groups_of(memory, file),
                           .scalable = false,
                           .network = {.link = {gigabit, latency}, .backbone = std::nullopt},
                           .ep_pair_work = std::nullopt};
  std::string text =
      "# Power as meters showed it while jobs ran. What other gears draw follows from "
      "those\n# that were metered. Idle power, speeds and the network were not "
      "measured.\n";
  for (const LearntPower& learnt : memory.power)
    text += comments_of(learnt);
  return text + io::platform_text(platform);
}

} // namespace hypermile::learn
