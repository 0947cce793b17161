#pragma once

#include <cstddef>
#include <string>

namespace hypermile::sweep {

/// A sweep as a job array of Slurm.
struct JobArray {
  std::string name;      ///< of the job
  std::string command;   ///< hypermile; this path and the next two hold on every node
  std::string study;     ///< file
  std::string results;   ///< folder
  std::size_t cells = 1; ///< at least 1
};

/// The script for sbatch: task k works on cell k. Where there are more than 1000 cells, which is
/// the most that Slurm takes by default, also on cells k + 1000, k + 2000 and so on.
[[nodiscard]] std::string slurm_script(const JobArray& array);

} // namespace hypermile::sweep
