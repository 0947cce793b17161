#pragma once

#include "launch/command.hpp"
#include "runtime/exchange/messages.hpp"
#include "runtime/settings.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hypermile::launch {

/// A job that has ended.
struct Ended {
  End end;
  bool begun = false;                       ///< its rank 0 has called MPI_Init on this node
  std::optional<runtime::RunReport> report; ///< none: rank 0 has left none on this node
  Seconds begin;                            ///< of the command, since 1970
  Seconds until;                            ///< when it had ended, likewise
};

/// Told about what could not be done although the job ran.
using Remark = std::function<void(const std::string&)>;

/// Runs a command whose MPI processes load `library` with these settings, and returns when this
/// node is as it was before: a job that ended early leaves that to a guard, which may have been
/// killed, too. Throws as launch::run().
Ended run_job(const std::vector<std::string>& command, runtime::Settings settings,
              const std::string& library, const runtime::Environment& environment,
              const Remark& remark);

} // namespace hypermile::launch
