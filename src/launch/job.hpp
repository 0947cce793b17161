#pragma once

#include "control/spawn.hpp"
#include "launch/command.hpp"
#include "runtime/exchange/run_report.hpp"
#include "runtime/settings.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hypermile::launch {

/// A job that has ended.
struct Ended {
  End end;
  bool begun = false;                       ///< a rank that reports to us has called MPI_Init
  bool reported_elsewhere = false;          ///< rank 0 has another command that waits for it
  std::optional<runtime::RunReport> report; ///< none: rank 0 has left none on this node
  Seconds begin;                            ///< of the command, since 1970
  Seconds until;                            ///< when it had ended, likewise
};

/// Called with what could not be done although the job ran.
using Remark = std::function<void(const std::string&)>;

/// Runs a command whose MPI processes load `library` with these settings, and whose MPI library
/// reads `of_mpi`. Returns when this node's gears are restored: where the job was killed, and its
/// guard, too, this does it. Throws as launch::run().
Ended run_job(const std::vector<std::string>& command, runtime::Settings settings,
              const std::string& library, const runtime::Environment& environment,
              const Remark& remark, const control::Variables& of_mpi = {});

} // namespace hypermile::launch
