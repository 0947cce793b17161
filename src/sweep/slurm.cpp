#include "sweep/slurm.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hypermile::sweep {
namespace {

constexpr std::size_t most_tasks = 1000; ///< MaxArraySize is 1001 by default, and counts from 0

/// As one word for a shell, whatever is in it.
std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word)
    text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

/// sbatch puts numbers in place of %a and the like.
std::string without_patterns(const std::string& path) {
  std::string text;
  for (const char c : path)
    text += c == '%' ? std::string("%%") : std::string(1, c);
  return text;
}

} // namespace

std::string slurm_script(const JobArray& array) {
  const std::size_t tasks = std::min(array.cells, most_tasks);
  const std::string sweep =
      fmt::format("{} sweep {} --results {} --quiet --cell", quoted(array.command),
                  quoted(array.study), quoted(array.results));
  const std::string head = fmt::format(
      R"(#!/bin/sh
#SBATCH --job-name={}
#SBATCH --array=1-{}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --output="{}/slurm-%a.log"
# Written by hypermile sweep --emit slurm for {} cells. The script may be submitted again: what is
# finished is not simulated again.
)",
      array.name, tasks, without_patterns(array.results), array.cells);
  if (array.cells == tasks)
    return head + fmt::format("exec {} \"$SLURM_ARRAY_TASK_ID\"\n", sweep);
  return head + fmt::format(R"(cell=$SLURM_ARRAY_TASK_ID
code=0
while [ "$cell" -le {} ]; do
  {} "$cell" || code=$?
  cell=$((cell + {}))
done
exit $code
)",
                            array.cells, sweep, tasks);
}

} // namespace hypermile::sweep
