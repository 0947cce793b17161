#include "simulate/explanation.hpp"

#include "simulate/critical_calls.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <thread>

namespace hypermile::simulate {
namespace {

using model::Gear;
using Dependencies = model::dependency::Dependencies;

std::vector<Explanation::Node> nodes_in(const runtime::RunReport& run,
                                        std::span<const Gear> gears) {
  std::vector<Explanation::Node> nodes;
  for (const auto& rank : run.ranks) {
    const auto& [name, type, assumed] = rank.node;
    if (std::ranges::find(nodes, name, &Explanation::Node::name) != nodes.end())
      continue;
    const Gear gear = gears[nodes.size()];
    std::optional<Hertz> frequency;
    if (type.frequencies_known)
      frequency = type.gears.frequency(gear);
    nodes.push_back({.name = name, .type = type.name, .gear = gear, .frequency = frequency});
  }
  return nodes;
}

void explain_ranks(const Forecast& forecast, std::span<const double> scales,
                   Explanation& explanation) {
  const auto& predictor = forecast.predictor();
  const Dependencies& dependencies = predictor.dependencies();
  const auto slack = dependencies.slack(scales);
  const auto accounts = dependencies.accounts(scales);
  explanation.ranks.resize(dependencies.ranks());
  for (std::size_t n = 0; n < predictor.node_count(); ++n)
    for (const std::uint32_t r : predictor.ranks(n))
      explanation.ranks[r] = {.node = n, .on_path = {}, .account = accounts[r], .slack = slack[r]};
}

void explain_path(const Dependencies::Path& path, Explanation& explanation) {
  for (const auto& step : path.steps) {
    explanation.ranks[step.rank].on_path += step.computing;
    explanation.computing += step.computing;
    explanation.inside += step.inside;
    explanation.handovers += step.from == step.rank ? 0 : 1;
  }
}

/// A node in another gear.
struct Step {
  std::size_t node;
  Gear gear;
  select::Figures figures{};
};

/// Every node a gear up, and a gear down.
std::vector<Step> steps_from(std::span<const Gear> gears, std::span<const std::size_t> counts) {
  std::vector<Step> steps;
  for (std::size_t n = 0; n < gears.size(); ++n) {
    if (gears[n] > 0)
      steps.push_back({.node = n, .gear = gears[n] - 1});
    if (gears[n] + 1 < counts[n])
      steps.push_back({.node = n, .gear = gears[n] + 1});
  }
  return steps;
}

using Evaluate = std::function<select::Figures(std::span<const Gear>)>;

/// On all cores: with many ranks and long runs each step takes a second or so.
void evaluate_all(std::vector<Step>& steps, std::span<const Gear> gears, const Evaluate& evaluate) {
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    std::vector<Gear> changed(gears.begin(), gears.end());
    for (std::size_t i = next++; i < steps.size(); i = next++) {
      Step& step = steps[i];
      changed[step.node] = step.gear;
      step.figures = evaluate(changed);
      changed[step.node] = gears[step.node];
    }
  };
  std::vector<std::jthread> others;
  for (unsigned i = 1; i < std::min<std::size_t>(std::thread::hardware_concurrency(), steps.size());
       ++i)
    others.emplace_back(work);
  work();
}

select::Neighbourhood look_around(const Forecast& forecast, const model::Baseline& baseline,
                                  std::span<const Gear> gears, const select::Score& score) {
  std::vector<std::size_t> gear_counts;
  for (std::size_t n = 0; n < gears.size(); ++n)
    gear_counts.push_back(forecast.predictor().gear_count(n));
  const Evaluate figures = [&](std::span<const Gear> some) {
    const auto [time, energy] = forecast.of(some);
    return select::Figures{model::normalised(baseline, time, energy), Watts{}};
  };
  auto steps = steps_from(gears, gear_counts);
  evaluate_all(steps, gears, figures);
  const auto with = [&](std::size_t node, Gear gear) {
    return std::ranges::find_if(
               steps, [=](const Step& step) { return step.node == node && step.gear == gear; })
        ->figures;
  };
  return select::neighbourhood(gears, gear_counts, figures(gears), with, score);
}

} // namespace

Explanation explain(const Forecast& forecast, const model::Timeline& timeline,
                    const runtime::RunReport& unscaled, std::span<const Gear> gears,
                    const select::Request& request, std::size_t segments) {
  const auto& predictor = forecast.predictor();
  const Dependencies& dependencies = predictor.dependencies();
  std::vector<double> scales;
  predictor.scales(gears, scales);
  const auto path = dependencies.critical_path(scales);
  Dependencies::Workspace workspace;

  Explanation explanation;
  explanation.nodes = nodes_in(unscaled, gears);
  explanation.path_time = dependencies.time(scales, workspace);
  explanation.late_begin = explanation.path_time - (path.steps.back().end - path.begin);
  explain_ranks(forecast, scales, explanation);
  explain_path(path, explanation);
  explanation.calls = calls_on(path, timeline);
  explanation.longest = longest_segments(path, timeline, unscaled, segments);
  const auto [time, energy] = forecast.of(std::vector<Gear>(gears.size(), 0));
  explanation.baseline = {time, energy};
  explanation.neighbourhood = look_around(forecast, explanation.baseline, gears,
                                          select::Score(explanation.baseline, request));
  return explanation;
}

} // namespace hypermile::simulate
