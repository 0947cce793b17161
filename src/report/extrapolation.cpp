#include "report/extrapolation.hpp"

#include "units/wrapped.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <vector>

namespace hypermile::report {
namespace {

using application::ExtrapolatedSteps;
using nlohmann::ordered_json;

/// Steps that differ by less are as good as settled.
constexpr double settled = 0.001;

std::string steps_text(const ExtrapolatedSteps& steps) {
  const std::string loops =
      steps.loops == 1 ? "" : fmt::format(", in each of {} such loops", steps.loops);
  const std::string last = steps.compared() == 1 ? "one" : fmt::format("{}", steps.compared());
  return fmt::format("Of the {} steps in line {}{}, {} were simulated. The rest is extrapolated: "
                     "each of the other {} is taken to be like the last {} of those.",
                     steps.count, steps.line, loops, steps.simulated, steps.count - steps.simulated,
                     last);
}

std::string figures_of(const simulate::SimulatedRun& run) {
  return fmt::format("{} {:.6g} s and {:.6g} J", simulate::shown(run.method),
                     run.part->time.value(), run.part->energy.value());
}

/// Where steps still changed when the simulation ended.
std::string unsettled_text(const simulate::SimulatedRun& run) {
  if (run.part->lagging_rank)
    return wrapped(
        fmt::format("{}: not settled. Rank {} computes for longer in its last steps than "
                    "the run takes for them, so that it will be the slowest later, and "
                    "the rest takes longer: simulate more steps.",
                    simulate::shown(run.method), *run.part->lagging_rank));
  if (!(std::abs(run.part->unsettled) > settled))
    return "";
  return wrapped(fmt::format("{}: not settled. The last steps that were simulated take {:.2g} % "
                             "{} those before them, so that the rest may take something else: "
                             "simulate more steps.",
                             simulate::shown(run.method), 100 * std::abs(run.part->unsettled),
                             run.part->unsettled > 0 ? "more than" : "less than"));
}

} // namespace

std::string extrapolation_text(const simulate::Simulation& simulation) {
  if (!simulation.model || simulation.model->extrapolated.empty())
    return "";
  std::string text;
  for (const ExtrapolatedSteps& steps : simulation.model->extrapolated)
    text += wrapped(steps_text(steps));
  std::vector<std::string> parts;
  for (const simulate::SimulatedRun& run : simulation.runs)
    parts.push_back(figures_of(run));
  text += wrapped(fmt::format("Times and energies are of the whole run; gears and the times at "
                              "which they were set are of what was simulated: {}.",
                              fmt::join(parts, ", ")));
  for (const simulate::SimulatedRun& run : simulation.runs)
    text += unsettled_text(run);
  return text;
}

std::string part_text(const simulate::Simulation& simulation) {
  if (!simulation.model || simulation.model->extrapolated.empty())
    return "";
  std::string text;
  for (const ExtrapolatedSteps& steps : simulation.model->extrapolated)
    text += wrapped(fmt::format("Of the {} steps in line {}, {} were simulated. What follows is of "
                                "these.",
                                steps.count, steps.line, steps.simulated));
  const simulate::SimulatedRun& unscaled = simulation.runs.front();
  return text +
         wrapped(fmt::format("The whole run takes {:.6g} s and {:.6g} J in gear 0, as is "
                             "extrapolated from them.",
                             unscaled.time.value(), unscaled.energy.value())) +
         unsettled_text(unscaled);
}

ordered_json extrapolation_json(const std::optional<simulate::ModelSummary>& model) {
  if (!model || model->extrapolated.empty())
    return nullptr;
  ordered_json list = ordered_json::array();
  for (const ExtrapolatedSteps& steps : model->extrapolated)
    list.push_back({{"line", steps.line},
                    {"loops", steps.loops},
                    {"steps", steps.count},
                    {"simulated", steps.simulated},
                    {"taken_from_last", steps.compared()}});
  return list;
}

ordered_json part_json(const simulate::SimulatedRun& run) {
  if (!run.part)
    return nullptr;
  return {{"time_s", run.part->time.value()},
          {"energy_j", run.part->energy.value()},
          {"unsettled_percent", 100 * run.part->unsettled},
          {"lagging_rank",
           run.part->lagging_rank ? ordered_json(*run.part->lagging_rank) : ordered_json(nullptr)}};
}

} // namespace hypermile::report
