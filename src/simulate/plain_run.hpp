#pragma once

#include "simulate/experiment.hpp"
#include "simulate/placement.hpp"
#include "simulate/process.hpp"
#include "simulate/workspace.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hypermile::simulate {

/// A program of hypermile's own under SMPI, without the interposer: computing costs what the
/// program charges itself, and nothing else. All its ranks share its variables.
struct PlainRun {
  std::string program;
  std::vector<std::string> arguments;
  std::string mark;     ///< with which it begins what it says on stderr
  std::string platform; ///< as in Experiment
  std::size_t nodes = 1;
  std::size_t ranks_per_node = 1;
  std::vector<std::string> simgrid_options; ///< KEY:VALUE
};

/// A simulation of such a program, which dies with this object.
class RunningPlain {
public:
  /// Throws Error{config} where the platform has not so many nodes with so many cores.
  RunningPlain(const PlainRun& run, const Installation& installation);

  /// What it printed; none: it still runs. Throws Error{config} with SimGrid's reason where it has
  /// failed.
  std::optional<std::string> poll();

private:
  [[nodiscard]] Process::Command command(const PlainRun& run,
                                         const Installation& installation) const;

  std::unique_ptr<Workspace> workspace_; ///< which has a place, and this object has none
  Placement placement_;
  std::string mark_;
  Process process_;
};

} // namespace hypermile::simulate
