#include "simulate/repetition.hpp"

#include "replay/recorded_run.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace hypermile::simulate {

std::vector<std::string> repeating(const std::string& recording, const Installation& installation) {
  return {installation.replay, std::filesystem::absolute(recording).string()};
}

namespace {

/// How fast the recorded cores were in the platform's unit, where the recording cannot tell.
void take_speed(const replay::RecordedRun& run, const std::string& file, Experiment& experiment) {
  const auto& speed = experiment.reference_speed;
  if (!run.platform.empty()) {
    if (speed)
      throw Error(
          ErrorKind::config,
          fmt::format("{} says how fast its cores were, and needs no --reference-speed", file),
          "without it");
    return;
  }
  if (!speed || experiment.platform.empty())
    throw Error(ErrorKind::config,
                fmt::format("{} is of nodes that no platform described, so nobody knows how fast "
                            "they were",
                            file),
                "--platform with --reference-speed, the speed of a core there in the platform's "
                "unit, such as 40Gf");
  experiment.program.push_back(fmt::format("{:.17g}", speed->value()));
}

} // namespace

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
  repetition.experiment.program = repeating(file, installation);
  take_speed(run, file, repetition.experiment);
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
