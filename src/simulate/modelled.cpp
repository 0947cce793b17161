#include "simulate/modelled.hpp"

#include "io/text_file.hpp"
#include "replay/recorded_run.hpp"
#include "units/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

namespace hypermile::simulate {
namespace {

namespace fs = std::filesystem;

/// A file, or the name of a model that comes along.
std::string find_model(const std::string& name, const std::string& folder) {
  if (fs::is_regular_file(name))
    return name;
  const fs::path bundled = fs::path(folder) / (name + ".lua");
  if (fs::is_regular_file(bundled))
    return bundled;
  throw Error(ErrorKind::config, fmt::format("there is no model '{}'", name),
              fmt::format("a file, or one of {}", fmt::join(bundled_models(folder), ", ")));
}

/// Meetings have to be possible, whatever they take.
application::Machine any_machine(std::size_t ranks) {
  return {.speeds = std::vector<Speed>(ranks, replay::unknown_speed),
          .transfer = [](std::uint32_t, std::uint32_t, std::uint64_t) { return Seconds{}; },
          .latency = {},
          .bandwidth = Bandwidth{1},
          .protocol = {}};
}

} // namespace

std::vector<std::string> bundled_models(const std::string& folder) {
  return io::names_in(folder, ".lua");
}

application::ModelRun run_model_of(const Experiment& experiment, const Installation& installation,
                                   const Listener& listener) {
  const std::string file = find_model(experiment.model, installation.model_folder);
  listener.status(fmt::format("running {} for {} ranks", file, *experiment.ranks));
  return application::run_model(io::read_text_file(file), file,
                                {.ranks = *experiment.ranks,
                                 .set = experiment.parameters,
                                 .all_steps = experiment.all_steps,
                                 .fewer = experiment.fewer_steps,
                                 .print = experiment.fewer_steps ? nullptr : listener.printed});
}

ModelSummary summary_of(const application::ModelRun& run, const std::string& name) {
  ModelSummary summary{
      .file = name, .parameters = {}, .roles = {}, .extrapolated = run.extrapolated};
  for (const application::Parameter& parameter : run.parameters)
    summary.parameters.emplace_back(parameter.name, parameter.value);
  for (const std::string& role : run.roles) {
    const auto known =
        std::ranges::find(summary.roles, role, [](const auto& r) { return r.first; });
    if (known == summary.roles.end())
      summary.roles.emplace_back(role, 1);
    else
      ++known->second;
  }
  return summary;
}

std::string title_of(const application::ModelRun& run) {
  std::string title = fs::path(run.file).filename();
  for (const auto& [name, value, help] : run.parameters)
    title += fmt::format(" {}={:g}", name, value);
  return title;
}

application::ModelRun checked_model_of(const Experiment& experiment,
                                       const Installation& installation, const Listener& listener) {
  application::ModelRun run = run_model_of(experiment, installation, listener);
  application::schedule(run, any_machine(*experiment.ranks));
  return run;
}

Repetition repetition_of_model(const Experiment& experiment, application::ModelRun&& run,
                               const Installation& installation, const Workspace& workspace) {
  const std::size_t ranks = run.roles.size();
  const replay::RecordedRun recorded{.program = title_of(run),
                                     .platform = experiment.platform,
                                     .nodes = run.roles,
                                     .speeds = std::vector<Speed>(ranks, replay::unknown_speed),
                                     .timeline = std::move(run.timeline)};
  Experiment repeated = experiment;
  repeated.replayed = workspace.path("model.hmr");
  io::write_text_file(repeated.replayed, replay::print_recorded_run(recorded));
  return repetition_of(repeated, installation);
}

} // namespace hypermile::simulate
