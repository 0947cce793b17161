#include "timeline/record.hpp"

#include "io/text_file.hpp"
#include "io/timeline_text.hpp"
#include "runtime/settings.hpp"
#include "simulate/placement.hpp"
#include "simulate/process.hpp"
#include "simulate/workspace.hpp"

#include <gtest/gtest.h>

namespace hypermile::test {
namespace {

constexpr Seconds patience{120};

simulate::Process::Command command(const simulate::Placement& placement,
                                   const simulate::Workspace& workspace,
                                   const runtime::Settings& settings,
                                   const std::vector<std::string>& program) {
  simulate::Process::Command command{.arguments = {HYPERMILE_SMPIMAIN, program[0]},
                                     .environment = runtime::to_environment(settings),
                                     .output = workspace.path("out")};
  for (const std::string& option :
       simgrid_options(placement, workspace.folder(), simulate::Copies::each_rank))
    command.arguments.push_back(option);
  command.arguments.insert(command.arguments.end(), {"--", placement.platform_file});
  command.arguments.insert(command.arguments.end(), program.begin() + 1, program.end());
  command.environment.emplace_back("LD_PRELOAD", HYPERMILE_INTERPOSER);
  command.environment.emplace_back("SMPI_GLOBAL_SIZE", std::to_string(placement.ranks));
  return command;
}

} // namespace

Recorded record(const std::string& program, int ranks, const std::vector<std::string>& arguments) {
  const bool is_path = program.find('/') != std::string::npos;
  std::vector<std::string> words{HYPERMILE_BINARY_DIR "/" +
                                 (is_path ? program : "tests/programs/smpi/" + program)};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const simulate::Workspace workspace;
  simulate::Experiment experiment;
  experiment.platform = "table-3.1";
  experiment.ranks = static_cast<std::size_t>(ranks);
  simulate::Installation installation;
  installation.platform_folder = HYPERMILE_SOURCE_DIR "/platforms";
  const auto placement = simulate::make_placement(experiment, installation, workspace);
  runtime::Settings settings;
  settings.method = "none";
  settings.result_file = workspace.path("run");
  settings.timeline_file = workspace.path("timeline.txt");
  settings.reference_speed = Speed{300e9};
  simulate::Process process(command(placement, workspace, settings, words));
  const auto end = process.wait(patience);
  if (!end || end->exit_code != 0) {
    ADD_FAILURE() << program << (end ? " failed: " : " hangs: ")
                  << io::read_text_file(workspace.path("out"));
    return {};
  }
  return {io::parse_timeline(io::read_text_file(settings.timeline_file), settings.timeline_file),
          runtime::decode_run(io::read_text_file(settings.result_file))};
}

} // namespace hypermile::test
