#include "sweep/cell_process.hpp"

#include "io/cell_result.hpp"
#include "io/text_file.hpp"
#include "units/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <sstream>

#include <signal.h>

namespace hypermile::sweep {
namespace {

namespace fs = std::filesystem;
using study::Outcome;

/// The last lines of what it said, in one line and without what steers terminals.
std::string last_words(const std::string& text) {
  constexpr std::size_t most_lines = 5;
  constexpr std::size_t most_bytes = 500;
  constexpr std::string_view prefix = "hypermile: error: ";
  std::deque<std::string> lines;
  std::istringstream all(text);
  for (std::string line; std::getline(all, line);) {
    std::ranges::replace_if(
        line, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }, ' ');
    if (line.starts_with(prefix))
      line.erase(0, prefix.size());
    line.erase(0, line.find_first_not_of(' '));
    if (!line.empty())
      lines.push_back(line);
    if (lines.size() > most_lines)
      lines.pop_front();
  }
  return fmt::format("{}", fmt::join(lines, " / ")).substr(0, most_bytes);
}

std::string how_it_ended(const simulate::Process::End& end) {
  if (end.signal == SIGKILL)
    return "killed by signal 9; perhaps the memory of this machine is too small";
  if (end.signal != 0)
    return fmt::format("killed by signal {}", end.signal);
  return fmt::format("exit code {}", end.exit_code);
}

/// `hypermile simulate` ends with 128 + the signal's number then.
bool was_asked_to_end(const simulate::Process::End& end) {
  return end.exit_code == 128 + SIGINT || end.exit_code == 128 + SIGTERM ||
         end.exit_code == 128 + SIGHUP;
}

Outcome failed(const std::string& reason) {
  return {.status = Outcome::Status::failed, .reason = reason, .took = {}, .runs = {}};
}

Outcome outcome_of(const std::string& simulation) {
  try {
    auto runs = io::parse_simulation(simulation, "hypermile simulate");
    return {.status = Outcome::Status::done, .reason = "", .took = {}, .runs = std::move(runs)};
  } catch (const Error& error) {
    return failed(error.what());
  }
}

} // namespace

bool lacks_recording(const Place& place, const ResultsFolder& results) {
  const std::string recording = results.recording_of(place);
  return !recording.empty() && !fs::exists(recording);
}

std::unique_ptr<CellProcess> CellProcess::record(const Place& place, const Request& request,
                                                 const ResultsFolder& results) {
  std::string recording = results.recording_of(place);
  auto lock = FileLock::attempt(recording + ".lock", FileLock::Kind::alone);
  if (!lock || fs::exists(recording)) // made while we looked
    return nullptr;
  std::unique_ptr<CellProcess> process(
      new CellProcess(place, request, std::move(recording), std::move(lock)));
  std::vector<std::string> arguments = place.cell.recorder;
  arguments.insert(arguments.begin() + 1, fmt::format("--report={}", process->file("report")));
  process->start(std::move(arguments));
  return process;
}

std::unique_ptr<CellProcess> CellProcess::simulate(const Place& place, const Request& request,
                                                   const ResultsFolder& results) {
  std::string recording = results.recording_of(place);
  std::vector<std::string> arguments = place.cell.arguments;
  if (!recording.empty())
    arguments.insert(arguments.begin() + 1, fmt::format("--computation={}", recording));
  std::unique_ptr<CellProcess> process(
      new CellProcess(place, request, std::move(recording), std::nullopt));
  process->start(std::move(arguments));
  return process;
}

CellProcess::CellProcess(const Place& place, const Request& request, std::string recording,
                         std::optional<FileLock> lock)
    : place_(place), request_(request), recording_(std::move(recording)), lock_(std::move(lock)) {}

/// The simulation begins in another folder than we did.
std::string CellProcess::file(const std::string& name) const {
  return fs::absolute(folder_.path()) / name;
}

void CellProcess::start(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), request_.command);
  process_.emplace(
      simulate::Process::Command{.arguments = std::move(arguments),
                                 // What a simulation leaves behind when it is killed goes, too.
                                 .environment = {{"TMPDIR", file("")}},
                                 .output = file("out"),
                                 .errors = file("err"),
                                 .folder = request_.study_folder});
}

/// Whoever has opened the lock's file already finds the recording next.
void CellProcess::keep_recording() {
  if (!fs::exists(recording_)) // as it may where there are no locks
    io::write_text_file(recording_, io::read_text_file(file("report/computation.txt")));
  std::error_code ignored;
  fs::remove(recording_ + ".lock", ignored);
}

std::optional<CellEnd> CellProcess::poll() {
  const auto end = process_->wait(Seconds{});
  if (!end)
    return std::nullopt;
  if (!lock_ || end->exit_code != 0)
    return result_of(*end);
  keep_recording();
  CellEnd recorded{.outcome = {}, .simulation = "", .recorded = true};
  recorded.outcome.took = clock_.now();
  return recorded;
}

CellEnd CellProcess::result_of(const simulate::Process::End& end) const {
  if (was_asked_to_end(end))
    return {};
  CellEnd result;
  if (end.exit_code == 0) {
    result.simulation = io::read_text_file(file("out"));
    result.outcome = outcome_of(result.simulation);
  } else {
    const std::string said = last_words(io::read_text_file(file("err")));
    result.outcome = failed(said.empty() ? how_it_ended(end) : said);
  }
  if (result.outcome.status == Outcome::Status::failed)
    result.simulation.clear();
  result.outcome.took = clock_.now();
  return result;
}

} // namespace hypermile::sweep
