#include "report/recording_report.hpp"

#include "units/wrapped.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace hypermile::report {
namespace {

double bytes_per_event(const simulate::RecordingFile& recording) {
  return recording.events == 0
             ? 0
             : static_cast<double>(recording.bytes) / static_cast<double>(recording.events);
}

} // namespace

std::string print_recording_report(const simulate::Simulation& simulation,
                                   const simulate::RecordingFile& recording) {
  const simulate::SimulatedRun& run = simulation.runs.front();
  std::string text =
      wrapped(fmt::format("{} on {} ranks of platform {}: {:.2f} s and {:.1f} J in the simulation",
                          fmt::join(simulation.program, " "), simulation.ranks, simulation.platform,
                          run.time.value(), run.energy.value()));
  text += wrapped(fmt::format("{} holds {} events in {} bytes ({:.2f} per event).", recording.file,
                              recording.events, recording.bytes, bytes_per_event(recording)));
  for (const std::string& remark : recording.remarks)
    text += wrapped(fmt::format("{}.", remark));
  text += recording.not_repeatable.empty()
              ? fmt::format("Repeat it: hypermile simulate --replay {}\n", recording.file)
              : wrapped(fmt::format("It cannot be repeated: {}.", recording.not_repeatable));
  return text;
}

std::string recording_json(const simulate::Simulation& simulation,
                           const simulate::RecordingFile& recording) {
  using nlohmann::ordered_json;
  const simulate::SimulatedRun& run = simulation.runs.front();
  const ordered_json json{{"schema", "hypermile/recording/1"},
                          {"file", recording.file},
                          {"platform", simulation.platform},
                          {"ranks", simulation.ranks},
                          {"program", simulation.program},
                          {"time_s", run.time.value()},
                          {"energy_j", run.energy.value()},
                          {"events", recording.events},
                          {"bytes", recording.bytes},
                          {"not_repeatable", recording.not_repeatable.empty()
                                                 ? ordered_json()
                                                 : ordered_json(recording.not_repeatable)},
                          {"remarks", recording.remarks}};
  return json.dump(2) + "\n";
}

} // namespace hypermile::report
