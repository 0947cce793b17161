#include "simulate/replayed_gears.hpp"

#include "simulate/repetition.hpp"

#include "io/text_file.hpp"
#include "io/timeline_text.hpp"

#include <fmt/format.h>

#include <utility>

namespace hypermile::simulate {
namespace {

/// A repetition of a repetition is the same one.
Experiment repeated(Experiment experiment, const std::string& recording,
                    const Installation& installation) {
  if (!experiment.replayed.empty())
    return experiment;
  experiment.replayed = recording;
  experiment.program = repeating(recording, installation);
  return experiment;
}

} // namespace

ReplayedGears::ReplayedGears(const Experiment& experiment, std::string recording,
                             const Installation& installation, const Placement& placement,
                             const Workspace& workspace, const Listener& listener)
    : experiment_(repeated(experiment, recording, installation)), workspace_(workspace),
      why_not_(look_at_recording(recording).not_repeatable),
      runner_(experiment_, installation, placement, workspace, listener) {}

/// Its files have names that no report keeps.
Task ReplayedGears::task(const std::vector<model::Gear>& gears) {
  const std::string name = fmt::format("plan-{}", ++made_);
  Task task{.method = fmt::format("plan {}", made_),
            .output = workspace_.path(name + ".printed"),
            .settings = {}};
  task.settings.method = "fixed";
  task.settings.gears = gears;
  task.settings.result_file = workspace_.path(name + ".result");
  task.settings.status_file = workspace_.path(name + ".status");
  task.settings.timeline_file = workspace_.path(name + ".timeline");
  task.settings.computes_itself = true;
  task.settings.sensitivities = experiment_.sensitivities;
  return task;
}

std::vector<RunInGears> ReplayedGears::run(std::span<const std::vector<model::Gear>> gears) {
  std::vector<Task> tasks;
  for (const auto& choice : gears)
    tasks.push_back(task(choice));
  std::vector<RunInGears> runs;
  for (SimulatedRun& run : runner_.run(tasks)) {
    const std::string file = tasks[runs.size()].settings.timeline_file;
    runs.push_back(
        {.took = {run.time, run.energy}, .forecast = [report = std::move(run.report), file] {
           return Forecast(report, io::parse_timeline(io::read_text_file(file), file));
         }});
  }
  return runs;
}

} // namespace hypermile::simulate
