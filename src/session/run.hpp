#pragma once

#include "session/steered_node.hpp"
#include "session/steering.hpp"

#include "steer/bounds.hpp"
#include "steer/controller.hpp"
#include "steer/schedule.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace hypermile::session {

/// Where a program's progress is read.
enum class ProgressSource {
  automatic,   ///< calls, or openmp, or an expression; whatever reports first
  calls,       ///< hm_progress()
  openmp,      ///< parallel regions, loops and tasks of OpenMP
  instructions ///< of its threads, counted by the processor
};

/// A program, and how it is to be steered.
struct Job {
  std::vector<std::string> command; ///< to be started; empty: `pid` runs already
  pid_t pid = 0;
  SteeredNodeOptions machine;
  std::string method = "adaptive";
  steer::Bounds bounds;
  steer::Sampling sampling;
  std::optional<steer::PowerSchedule> schedule;
  ProgressSource source = ProgressSource::automatic;
  std::string progress_regex; ///< of its output; empty: none
  std::string library;        ///< libhypermile-progress.so, an absolute path
};

/// Who hears of a program while it is steered.
struct Listener {
  std::function<void(const std::string& text)> remark;
  std::function<void(const Row& row, const NodeLayout& node)> sample{}; ///< may be empty
};

/// What became of it.
struct Outcome {
  int exit_code = 0; ///< of the program, as a shell reports it; 0 for one that runs on
  bool program_ended = true;
  Result result;
  steer::Account account;
  steer::Bounds bounds;      ///< at the end
  std::string configuration; ///< as a user reads it
  std::string backend;
  std::string measures; ///< empty: power was assumed
};

/// Starts the program, or finds it, and steers it until it ends; one that was found, until this
/// process is asked to end (SIGINT, SIGTERM, SIGHUP). A program that was started runs on if it
/// cannot be steered. Everything is restored. Throws Error as launch::Running and SteeredNode do,
/// for a pid that is not there, and for bounds that nothing can measure.
Outcome run(const Job& job, const Listener& listener);

} // namespace hypermile::session
