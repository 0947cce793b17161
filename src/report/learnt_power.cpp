#include "report/learnt_power.hpp"

#include "model/setting.hpp"
#include "report/setting_json.hpp"
#include "units/wrapped.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <vector>

namespace hypermile::report {
namespace {

using nlohmann::ordered_json;
using runtime::LearntPower;

constexpr std::size_t most_rows = 8;

std::string interval(const estimate::Estimate& watts) {
  return fmt::format("{:.1f} ({:.0f} to {:.0f})", watts.value, watts.low, watts.high);
}

Seconds metered(const LearntPower& learnt) {
  Seconds sum;
  for (const auto& gear : learnt.gears)
    sum += gear.metered;
  return sum;
}

std::string teachers(const LearntPower& learnt) {
  std::string text = learnt.nodes == 0
                         ? ""
                         : fmt::format("{} meter{}", learnt.nodes, learnt.nodes == 1 ? "" : "s");
  if (learnt.from_earlier)
    text += learnt.nodes == 0 ? "earlier runs" : " and earlier runs";
  return text;
}

/// What became of it.
std::string use_of(const LearntPower& learnt) {
  const char* const before = learnt.assumed ? "an assumption" : "the platform's table";
  if (learnt.in_use)
    return fmt::format("Gears were chosen by it in place of {}.", before);
  return learnt.why_not.empty()
             ? fmt::format("It was known too late for a choice of gears, which rested on {}.",
                           before)
             : fmt::format("Gears were not chosen by it: {}.", learnt.why_not);
}

std::string table_of(const LearntPower& learnt) {
  std::vector<model::Gear> visited;
  for (model::Gear g = 0; g < learnt.gears.size(); ++g)
    if (learnt.gears[g].metered > Seconds{})
      visited.push_back(g);
  std::ranges::sort(visited, std::greater{},
                    [&](model::Gear g) { return learnt.gears[g].metered; });
  visited.resize(std::min(visited.size(), most_rows));
  std::ranges::sort(visited);
  std::size_t name = 12;
  for (const model::Gear g : visited)
    name = std::max(name, model::setting_name(learnt.type, g).size() + 1);
  const std::size_t figures = name > 12 ? 20 : 22; // a line fits a terminal
  std::string text = fmt::format("{:<{}}{:>{}}{:>{}}{:>12}\n", "", name, "computing (W)", figures,
                                 "waiting (W)", figures, "metered");
  for (const model::Gear g : visited) {
    const auto& gear = learnt.gears[g];
    text += fmt::format("{:<{}}{:>{}}{:>{}}{:>10.1f} s\n", model::setting_name(learnt.type, g),
                        name, interval(gear.computing), figures, interval(gear.waiting), figures,
                        gear.metered.value());
  }
  const std::size_t others = learnt.gears.size() - visited.size();
  if (others > 0)
    text += fmt::format("What {} other gear{} draw{} follows mostly from these.\n", others,
                        others == 1 ? "" : "s", others == 1 ? "s" : "");
  return text;
}

/// "1.2 GHz (by 1.4 GHz)" for each gear that was left out.
std::string left_out(const LearntPower& learnt) {
  std::vector<std::string> texts;
  for (model::Gear g = 0; g < learnt.gears.size(); ++g)
    if (const auto by = learnt.gears[g].beaten_by)
      texts.push_back(fmt::format("{} (by {})", model::setting_name(learnt.type, g),
                                  model::setting_name(learnt.type, *by)));
  return texts.empty() ? ""
                       : wrapped(fmt::format("No longer chosen, as another one is no slower and "
                                             "draws less for sure: {}.",
                                             fmt::join(texts, ", ")));
}

ordered_json gear_json(const LearntPower& learnt, model::Gear g) {
  const auto& [metered, computing, waiting, beaten_by] = learnt.gears[g];
  return {{"gear", g},
          {"frequency_ghz", frequency_json(learnt.type, g)},
          {"setting", setting_json(learnt.type, g)},
          {"metered_s", metered.value()},
          {"computing_w", computing.value},
          {"computing_low_w", computing.low},
          {"computing_high_w", computing.high},
          {"waiting_w", waiting.value},
          {"waiting_low_w", waiting.low},
          {"waiting_high_w", waiting.high},
          {"beaten_by", beaten_by ? ordered_json(*beaten_by) : ordered_json()}};
}

} // namespace

std::string learnt_power_text(const runtime::RunReport& run) {
  std::string text;
  for (const LearntPower& learnt : run.power) {
    text +=
        "\n" + wrapped(fmt::format("Power of a node of type {}, with 95 % intervals, learnt from "
                                   "{} in {:.1f} s",
                                   learnt.type.name, teachers(learnt), metered(learnt).value()));
    text += table_of(learnt) + wrapped(use_of(learnt)) + left_out(learnt);
  }
  return text;
}

ordered_json learnt_power_json(const runtime::RunReport& run) {
  auto json = ordered_json::array();
  for (const LearntPower& learnt : run.power) {
    auto gears = ordered_json::array();
    for (model::Gear g = 0; g < learnt.gears.size(); ++g)
      gears.push_back(gear_json(learnt, g));
    json.push_back(
        {{"type", learnt.type.name},
         {"nodes", learnt.nodes},
         {"from_earlier_runs", learnt.from_earlier},
         {"prior", learnt.assumed ? "assumption" : "platform"},
         {"in_use", learnt.in_use},
         {"why_not", learnt.why_not.empty() ? ordered_json() : ordered_json(learnt.why_not)},
         {"noise_percent", 100 * learnt.noise},
         {"gears", std::move(gears)}});
  }
  return json;
}

} // namespace hypermile::report
