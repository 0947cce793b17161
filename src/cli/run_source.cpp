#include "cli/run_source.hpp"

#include "replay/recorded_run.hpp"
#include "units/error.hpp"

#ifdef HYPERMILE_SIMGRID
#include "cli/model_options.hpp"
#include "cli/simulation_input.hpp"
#endif

#include <CLI/CLI.hpp>

namespace hypermile::cli {

#ifdef HYPERMILE_SIMGRID

bool RunSource::named() const { return !experiment.model.empty() || !experiment.replayed.empty(); }

void add_run_source(CLI::App& command, RunSource& source) {
  add_model_options(command, source.experiment);
  add_layout_options(command, source.experiment);
  add_run_input(command, source.experiment);
  command.add_flag("-q,--quiet", source.quiet, "Show no progress of a simulation on stderr");
}

void check_run_source(const CLI::App& command, const std::string& subject,
                      const std::string& platform, RunSource& source) {
  simulate::Experiment& experiment = source.experiment;
  if (replay::is_recorded_run(subject))
    experiment.replayed = subject;
  if (!experiment.model.empty() && !subject.empty())
    throw CLI::ValidationError("--model", "is what there is to look at; try: without " + subject);
  if (source.named()) {
    experiment.platform = platform;
    if (!experiment.model.empty() && platform.empty())
      throw CLI::RequiredError("--platform, with --model,");
  } else {
    for (const char* option :
         {"-n", "--swap", "--reference-speed", "--waiting", "--map-by", "--simgrid-option"})
      if (command.count(option) > 0)
        throw CLI::ValidationError(option, "is for a run; try: with --model, or a recorded run");
  }
  check_model_options(experiment);
}

#else

bool RunSource::named() const { return false; }

void add_run_source(CLI::App& /*command*/, RunSource& /*source*/) {}

void check_run_source(const CLI::App& /*command*/, const std::string& subject,
                      const std::string& /*platform*/, RunSource& /*source*/) {
  if (replay::is_recorded_run(subject))
    throw Error(ErrorKind::unsupported,
                "this hypermile was built without SimGrid, and repeats no recorded run",
                "make in a clone");
}

#endif

} // namespace hypermile::cli
