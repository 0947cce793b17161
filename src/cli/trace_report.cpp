#include "cli/trace_report.hpp"

#include "units/wrapped.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hypermile::cli {
namespace {

using trace::TracedRun;

std::string shown_bytes(std::uint64_t bytes) {
  const auto number = static_cast<double>(bytes);
  if (bytes < 1'000'000)
    return fmt::format("{:.1f} kB", number / 1e3);
  return bytes < 1'000'000'000 ? fmt::format("{:.1f} MB", number / 1e6)
                               : fmt::format("{:.1f} GB", number / 1e9);
}

std::string origin(const TracedRun& run) {
  return run.forecast ? "times are forecast by the dependency model"
                      : "times as recorded, in gear 0";
}

/// Calls of all ranks, and what they computed.
struct Contents {
  std::size_t calls = 0;
  Seconds computing;
};

Contents contents_of(const model::Timeline& timeline) {
  Contents contents;
  for (const model::RankTimeline& rank : timeline.ranks) {
    for (const model::Event& event : rank.events) {
      contents.calls += event.ends_call;
      contents.computing += Seconds{static_cast<double>(event.computation)};
    }
    contents.computing += rank.computation_after;
  }
  return contents;
}

} // namespace

std::string print_written_trace(const WrittenTrace& trace, std::span<const TracedRun> runs,
                                const trace::Window& window) {
  std::string text =
      wrapped(fmt::format("{}: {} ranks on {} nodes, {} MPI calls, {} ({})", trace.file,
                          runs.front().schedule.ranks.size(), runs.front().nodes.size(),
                          trace.calls, shown_bytes(trace.bytes), trace.format));
  for (const TracedRun& run : runs)
    text += wrapped(fmt::format("{}: {:.6g} s, {:.6g} J; {}, power is that of the platform.",
                                run.label, run.time().value(), run.energy().value(), origin(run)));
  if (!window.is_whole())
    text += wrapped("Time and energy are those of the whole run; the trace has a part of it.");
  return text;
}

std::string written_trace_json(const WrittenTrace& trace, std::span<const TracedRun> runs,
                               const trace::Window& window) {
  nlohmann::ordered_json object{
      {"schema", "hypermile/trace-export/1"},
      {"file", trace.file},
      {"format", trace.format},
      {"calls", trace.calls},
      {"bytes", trace.bytes},
      {"from_s", window.from.value()},
      {"to_s", window.to ? nlohmann::json(window.to->value()) : nlohmann::json()},
      {"runs", nlohmann::json::array()}};
  for (const TracedRun& run : runs) {
    nlohmann::json gears = nlohmann::json::array();
    for (const trace::TracedNode& node : run.nodes)
      gears.push_back(node.gear);
    object["runs"].push_back({{"label", run.label},
                              {"forecast", run.forecast},
                              {"gears", gears},
                              {"time_s", run.time().value()},
                              {"energy_j", run.energy().value()}});
  }
  return object.dump(2) + "\n";
}

std::string print_read_trace(const ReadTrace& trace) {
  const Contents contents = contents_of(*trace.timeline);
  std::string text = wrapped(
      fmt::format("{}: {} ranks, {} MPI calls, {:.6g} s of computation of all ranks together",
                  trace.trace, trace.ranks, contents.calls, contents.computing.value()));
  for (const std::string& remark : trace.remarks)
    text += wrapped(remark + ".");
  const char* const elsewhere =
      trace.platform.empty() ? " --platform PLATFORM --reference-speed SPEED" : "";
  text += wrapped(fmt::format("The run is in {}; try: hypermile explain {}{}", trace.file,
                              trace.file, elsewhere));
  return text;
}

std::string read_trace_json(const ReadTrace& trace) {
  const Contents contents = contents_of(*trace.timeline);
  const nlohmann::ordered_json object{{"schema", "hypermile/trace-import/1"},
                                      {"trace", trace.trace},
                                      {"file", trace.file},
                                      {"ranks", trace.ranks},
                                      {"platform", trace.platform.empty()
                                                       ? nlohmann::ordered_json()
                                                       : nlohmann::ordered_json(trace.platform)},
                                      {"calls", contents.calls},
                                      {"computing_s", contents.computing.value()},
                                      {"remarks", trace.remarks}};
  return object.dump(2) + "\n";
}

} // namespace hypermile::cli
