#include "simulate/plain_run.hpp"

#include "io/text_file.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <sstream>

namespace hypermile::simulate {
namespace {

/// The first line that SimGrid calls critical or an error, or that is the program's; else the last.
std::string reason_in(const std::string& text, std::string_view programs) {
  std::istringstream lines(text);
  std::string last;
  for (std::string line; std::getline(lines, line);) {
    for (const std::string_view mark :
         {std::string_view("CRITICAL] "), std::string_view("ERROR] "), programs})
      if (const auto at = line.find(mark); at != std::string::npos)
        return line.substr(at + mark.size());
    if (!line.empty())
      last = line;
  }
  return last;
}

Placement place(const PlainRun& run, const Installation& installation, const Workspace& workspace) {
  Experiment experiment;
  experiment.platform = run.platform;
  experiment.ranks = run.nodes * run.ranks_per_node;
  experiment.layout.most_per_node = run.ranks_per_node;
  Placement placement = make_placement(experiment, installation, workspace);
  if (placement.nodes.size() != run.nodes)
    throw Error(ErrorKind::config,
                fmt::format("platform {} has no {} nodes of {} cores", placement.platform_name,
                            run.nodes, run.ranks_per_node),
                "fewer processes on each node");
  return placement;
}

} // namespace

RunningPlain::RunningPlain(const PlainRun& run, const Installation& installation)
    : workspace_(std::make_unique<Workspace>()), placement_(place(run, installation, *workspace_)),
      mark_(run.mark), process_(command(run, installation)) {}

Process::Command RunningPlain::command(const PlainRun& run,
                                       const Installation& installation) const {
  Process::Command command{.arguments = {installation.smpimain, run.program},
                           .environment = {{"SMPI_GLOBAL_SIZE", std::to_string(placement_.ranks)}},
                           .output = workspace_->path("output"),
                           .errors = workspace_->path("errors"),
                           .hidden = "HYPERMILE_"};
  auto& arguments = command.arguments;
  for (const std::string& option : simgrid_options(placement_, workspace_->folder(), Copies::one))
    arguments.push_back(option);
  for (const std::string& option : run.simgrid_options)
    arguments.push_back("--cfg=" + option);
  arguments.emplace_back("--");
  arguments.push_back(placement_.platform_file);
  arguments.insert(arguments.end(), run.arguments.begin(), run.arguments.end());
  return command;
}

std::optional<std::string> RunningPlain::poll() {
  const auto end = process_.wait(Seconds{});
  if (!end)
    return std::nullopt;
  if (end->exit_code != 0)
    throw Error(ErrorKind::config,
                fmt::format("a simulation of {} ranks on platform {} has failed: {}",
                            placement_.ranks, placement_.platform_name,
                            reason_in(io::read_text_file(workspace_->path("errors")), mark_)));
  return io::read_text_file(workspace_->path("output"));
}

} // namespace hypermile::simulate
