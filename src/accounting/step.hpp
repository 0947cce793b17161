#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace hypermile::accounting {

/// A step of a Slurm job, or a job of no batch system.
struct Step {
  std::optional<std::uint64_t> job{}; ///< SLURM_JOB_ID; none: not under Slurm
  std::string step{};                 ///< "0", or "batch" outside of srun; empty: not under Slurm
  std::string cluster{};              ///< SLURM_CLUSTER_NAME; empty: not known
  std::string user{};                 ///< name of the user; their number where there is no name

  /// As the column JobIDRaw of sacct: "123.0"; empty outside of Slurm.
  [[nodiscard]] std::string sacct_id() const;
};

using Environment = std::function<std::optional<std::string>(const std::string& name)>;

/// The step that a process with these variables belongs to. `user`: who it is where Slurm does not
/// tell (SLURM_JOB_USER).
Step step_in(const Environment& environment, const std::string& user);

/// The name of this process's user; the number where there is no name.
std::string own_user();

} // namespace hypermile::accounting
