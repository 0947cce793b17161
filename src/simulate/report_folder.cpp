#include "simulate/report_folder.hpp"

#include "io/json_reader.hpp"
#include "io/text_file.hpp"
#include "io/timeline_text.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace hypermile::simulate {
namespace {

constexpr const char* advice = "simulate again: hypermile simulate --report FOLDER ... -- PROGRAM";

} // namespace

std::string run_report_of(const std::string& run) { return run + ".run"; }

std::string timeline_of(const std::string& run) {
  return run == "none" ? timeline_name : run + ".timeline.txt";
}

std::string ReportFolder::file(const std::string& name) const {
  return (std::filesystem::path(path_) / name).string();
}

std::string ReportFolder::read(const std::string& name) const {
  try {
    return io::read_text_file(file(name));
  } catch (const Error& error) {
    throw Error(ErrorKind::config, error.what(), advice);
  }
}

ReportFolder::ReportFolder(std::string path) : path_(std::move(path)) {
  const std::string whole = file(simulation_name);
  const io::JsonReader top(io::parse_json(read(simulation_name), whole), whole);
  if (top.at("schema").text() != "hypermile/simulation/1")
    top.at("schema").fail("is not 'hypermile/simulation/1'", advice);
  if (!top.has("objective"))
    top.fail("an older hypermile left this folder, which has not all that is needed", advice);
  platform_ = top.at("platform").text();
  objective_ = top.at("objective").text();
  if (const auto bound = top.at("max_slowdown"); !bound.is_null())
    max_slowdown_ = bound.not_negative();
  for (const io::JsonReader& word : top.at("program").elements())
    program_.push_back(word.text());
  std::size_t given = 0;
  for (const io::JsonReader& run : top.at("runs").elements()) {
    auto method = run.at("method").text();
    auto name = method.starts_with("gears:") ? fmt::format("gears-{}", ++given) : shown(method);
    const auto took = [](const io::JsonReader& at) {
      return Expectation{Seconds{at.at("time_s").not_negative()},
                         Joules{at.at("energy_j").not_negative()}};
    };
    const bool has_part = run.has("simulated_part") && !run.at("simulated_part").is_null();
    const Expectation part = took(has_part ? run.at("simulated_part") : run);
    runs_.push_back({std::move(name), std::move(method), part.time, part.energy,
                     has_part ? std::optional(took(run)) : std::nullopt});
  }
}

runtime::RunReport ReportFolder::report(const Run& run) const {
  const std::string name = run_report_of(run.method == "none" ? run.method : run.name);
  const std::string text = read(name);
  try {
    return runtime::decode_run(text);
  } catch (const Error& error) {
    throw Error(ErrorKind::config, fmt::format("{}: {}", file(name), error.what()), advice);
  }
}

model::Timeline ReportFolder::timeline() const { return timeline(timeline_name); }

model::Timeline ReportFolder::timeline(const std::string& name) const {
  return io::parse_timeline(read(name), file(name));
}

} // namespace hypermile::simulate
