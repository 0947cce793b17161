#pragma once

#include "control/descriptor.hpp"
#include "io/temporary_folder.hpp"

#include <filesystem>
#include <string>

/// The folder through which rank 0 of a job hands its report to the command that has started it.
/// The command holds a lock on it. Where the lock is free, the command was killed: nobody reads the
/// report, and the ranks take the folder away.
namespace hypermile::runtime {

/// The command's end. The folder goes away with this object, in TMPDIR, or in /tmp where that
/// cannot be used.
class ReportBox {
public:
  /// Takes away what killed commands of this user have left on this node. Throws Error{hardware} if
  /// no folder can be made.
  ReportBox();

  /// For HYPERMILE_RESULT: the file that rank 0 writes.
  [[nodiscard]] std::string file() const;
  /// Empty: no rank has called MPI_Init on this node. `run_has_begun`, `reported_elsewhere`, or the
  /// report. Throws Error{config} if it cannot be read.
  [[nodiscard]] std::string content() const;

private:
  io::TemporaryFolder folder_{"/tmp"};
  control::Descriptor lock_;
};

/// What stands in the file from rank 0's MPI_Init on, until there is a report.
inline constexpr const char* run_has_begun = "begun";
/// What a rank writes whose own command is not rank 0's, as `srun hypermile run -- app` has it.
inline constexpr const char* reported_elsewhere = "elsewhere";

/// For a rank, with the file that HYPERMILE_RESULT names. False: nobody waits for it on this node;
/// a folder that a killed command has left is gone. Throws Error{hardware} if it cannot be written.
bool hand_over(const std::string& text, const std::string& file);

/// For a rank that has nothing to hand over. True: there was a folder that a killed command left.
bool take_away_abandoned(const std::string& file) noexcept;

} // namespace hypermile::runtime
