#include "cli/simulate_cells.hpp"

#include "cli/installation.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"

#include <filesystem>

namespace hypermile::cli {

std::string this_command() { return std::filesystem::read_symlink("/proc/self/exe"); }

std::vector<study::Outcome> simulate_cells(const std::vector<sweep::Place>& places,
                                           const CellWork& work) {
  (void)find_installation(); // what is missing there would make every cell fail
  const sweep::ResultsFolder folder(work.results);
  const auto lock = folder.lock(work.lock);
  ProgressLine progress(work.quiet);
  return sweep::run(places, folder,
                    {.command = this_command(),
                     .study_folder = work.study_folder,
                     .jobs = work.jobs,
                     .retry_failed = work.retry_failed},
                    {.step = [&](const std::string& text) { progress.step(text); },
                     .status = [&](const std::string& text) { progress.status(text); }});
}

int tell_interruption(int signal) {
  print_remark("interrupted; every simulation is stopped. What is finished is kept: the same "
               "command goes on with the rest");
  return 128 + signal;
}

} // namespace hypermile::cli
