#include "report/phases.hpp"

#include "report/loop_text.hpp"
#include "runtime/decide/gear0_ratio.hpp"
#include "units/wrapped.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace hypermile::report {
namespace {

using nlohmann::ordered_json;
using runtime::LoopReport;
using runtime::RankReport;

/// A phase that makes up less of the time is not told in the table.
constexpr double least_share = 0.01;

const LoopReport* loop_in(const RankReport& rank, std::size_t loop) {
  const auto found = std::ranges::find(rank.phases, loop, &LoopReport::phase);
  return found == rank.phases.end() ? nullptr : &*found;
}

Phase phase_of(const runtime::RunReport& run, std::size_t number) {
  Phase phase{};
  Seconds in_phase;
  Seconds all;
  for (std::size_t r = 0; r < run.ranks.size(); ++r) {
    const LoopReport* const loop = loop_in(run.ranks[r], run.phases[number][r]);
    in_phase += loop != nullptr ? loop->total : Seconds{};
    all += run.ranks[r].time;
    if (r == 0 && loop != nullptr) {
      phase.times = loop->times;
      phase.iterations = loop->iterations;
      phase.iteration = loop->description;
    }
  }
  phase.share = all > Seconds{} ? in_phase / all : 0;
  phase.ratio = phase_ratio(run, number);
  for (const runtime::Decision& decision : run.decisions)
    if (decision.phase == number && !decision.before_loop && runtime::sets_a_gear(decision))
      phase.choice = &decision;
  return phase;
}

std::string change_of(double ratio) { return fmt::format("{:+.1f} %", 100 * (ratio - 1)); }

std::vector<RankReport> nodes_in(const runtime::RunReport& run, const runtime::Decision& choice) {
  std::vector<RankReport> nodes;
  const Leaders leaders(run);
  for (const RankReport* leader : leaders.all()) {
    const auto node = std::ranges::find(choice.nodes, leader->node.name);
    if (node == choice.nodes.end())
      continue;
    nodes.push_back({.rank = leader->rank, .node = leader->node});
    nodes.back().gear = choice.gears[static_cast<std::size_t>(node - choice.nodes.begin())];
  }
  return nodes;
}

} // namespace

std::vector<Phase> phases_of(const runtime::RunReport& run) {
  std::vector<Phase> phases;
  for (std::size_t number = 0; number < run.phases.size(); ++number)
    phases.push_back(phase_of(run, number));
  return phases;
}

std::string phases_text(const runtime::RunReport& run) {
  std::vector<Phase> phases = phases_of(run);
  std::erase_if(phases, [](const Phase& phase) { return phase.share < least_share; });
  if (phases.size() < 2)
    return "";
  std::string text = fmt::format("\n{:<12}{:>6}{:>8}{:>12}{:>10}{:>10}  {}\n", "Phases", "share",
                                 "times", "iterations", "time", "energy", "against gear 0");
  for (std::size_t p = 0; p < phases.size(); ++p) {
    const Phase& phase = phases[p];
    const auto energy = phase.ratio ? phase.ratio->energy : std::nullopt;
    text += fmt::format("{:<12}{:>4.0f} %{:>8}{:>12}{:>10}{:>10}\n", fmt::format("phase {}", p + 1),
                        100 * phase.share, phase.times, phase.iterations,
                        phase.ratio ? change_of(phase.ratio->time) : "",
                        energy ? change_of(*energy) : "");
    text += wrapped(fmt::format("  One iteration: {}.", phase.iteration));
    if (phase.choice != nullptr)
      text += gears_text(nodes_in(run, *phase.choice));
  }
  return text;
}

ordered_json phases_json(const runtime::RunReport& run) {
  auto rows = ordered_json::array();
  for (const Phase& phase : phases_of(run))
    rows.push_back(
        {{"share", phase.share},
         {"times", phase.times},
         {"iterations", phase.iterations},
         {"one_iteration", phase.iteration},
         {"time_ratio", phase.ratio ? ordered_json(phase.ratio->time) : ordered_json()},
         {"energy_ratio",
          phase.ratio && phase.ratio->energy ? ordered_json(*phase.ratio->energy) : ordered_json()},
         {"gears", phase.choice != nullptr ? ordered_json(phase.choice->gears) : ordered_json()}});
  return rows;
}

} // namespace hypermile::report
