#include "simulate/repetition.hpp"

#include "replay/recorded_run.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace hypermile::simulate {

Repetition repetition_of(const Experiment& experiment, const Installation& installation) {
  const std::string& file = experiment.replayed;
  const replay::RecordedRun run = replay::read_recorded_run(file);
  if (const std::string why = replay::why_not_repeatable(run); !why.empty())
    throw Error(ErrorKind::unsupported, fmt::format("{} cannot be repeated: {}", file, why),
                "hypermile simulate with the program itself");
  const std::size_t ranks = run.nodes.size();
  if (experiment.ranks.value_or(ranks) != ranks)
    throw Error(ErrorKind::config,
                fmt::format("{} is of a run with {} ranks, but {} are asked for", file, ranks,
                            *experiment.ranks),
                fmt::format("-n {}", ranks));
  Repetition repetition{
      .experiment = experiment, .program = run.program, .remarks = replay::remarks(run)};
  repetition.experiment.ranks = ranks;
  repetition.experiment.program = {installation.replay, std::filesystem::absolute(file).string()};
  if (repetition.experiment.platform.empty())
    repetition.experiment.platform = run.platform;
  return repetition;
}

RecordingFile look_at_recording(const std::string& file) {
  const replay::RecordedRun run = replay::read_recorded_run(file);
  RecordingFile found{.file = file,
                      .events = 0,
                      .bytes = std::filesystem::file_size(file),
                      .not_repeatable = replay::why_not_repeatable(run),
                      .remarks = replay::remarks(run)};
  for (const model::RankTimeline& rank : run.timeline.ranks)
    found.events += rank.events.size();
  return found;
}

} // namespace hypermile::simulate
