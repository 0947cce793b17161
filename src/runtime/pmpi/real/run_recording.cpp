#include "runtime/pmpi/real/run_recording.hpp"

#include "io/text_file.hpp"
#include "replay/recorded_run.hpp"
#include "runtime/reason.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace hypermile::runtime::pmpi {

RunRecording::RunRecording(const Settings& settings, const JobCommunicators& job,
                           const NodeConnection& connection)
    : file_(settings.run_file), program_(settings.program), platform_(settings.platform),
      job_(job) {
  if (!wanted())
    return;
  const std::vector<std::string> told = job.from_all(
      connection.speed ? fmt::format("{:.17g}", connection.speed->value()) : std::string());
  const bool all_known =
      std::ranges::none_of(told, [](const std::string& speed) { return speed.empty(); });
  if (!all_known)
    platform_.clear();
  for (const std::string& speed : told)
    speeds_.push_back(all_known ? Speed{std::stod(speed)} : replay::unknown_speed);
  nodes_ = job.from_all(connection.node.name);
}

void RunRecording::prepare(Session::Parts& parts) const {
  if (!wanted())
    return;
  parts.record_timeline = true;
  parts.may_rest = false;
  parts.keep = Observer::Keep::calls;
  parts.memory = Recorder::whole_run_of(nodes_.size());
  const Speed speed = speeds_[static_cast<std::size_t>(job_.rank())];
  parts.worked = [speed](Seconds computed) { return Work{std::round((speed * computed).value())}; };
}

std::string RunRecording::head(const std::vector<std::string>& functions) const {
  return replay::print_head({.program = program_,
                             .platform = platform_,
                             .nodes = nodes_,
                             .speeds = speeds_,
                             .functions = functions});
}

std::vector<std::string> RunRecording::collect(Session& session,
                                               const std::vector<std::string>& functions) const {
  try {
    return job_.to_first(replay::print_rank(session.take_timeline(), functions));
  } catch (const JobCommunicators::Refused&) {
    throw;
  } catch (...) {
    job_.refuse(); // the others wait for this rank
    throw;
  }
}

void RunRecording::write(Session& session, const std::vector<std::string>& functions) const {
  if (!wanted())
    return;
  try {
    const auto parts = collect(session, functions);
    if (job_.rank() == 0)
      io::write_text_file(file_, std::accumulate(parts.begin(), parts.end(), head(functions)));
  } catch (const JobCommunicators::Refused&) { // another rank says why
  } catch (const std::exception& error) {
    std::fprintf(stderr, "hypermile: warning: the run was not recorded: %s\n", reason_of(error));
  }
}

} // namespace hypermile::runtime::pmpi
