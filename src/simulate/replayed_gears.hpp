#pragma once

#include "simulate/runner.hpp"
#include "simulate/whole_run_plan.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace hypermile::simulate {

/// The unscaled run of an experiment, repeated from its recording in any gears.
class ReplayedGears {
public:
  /// Keeps references to all but the recording, a file of `hypermile record`. Throws Error{config}
  /// for a file that is none.
  ReplayedGears(const Experiment& experiment, std::string recording,
                const Installation& installation, const Placement& placement,
                const Workspace& workspace, const Listener& listener);
  ReplayedGears(const ReplayedGears&) = delete;
  ReplayedGears& operator=(const ReplayedGears&) = delete;

  /// Why the run cannot be repeated; empty: it can.
  [[nodiscard]] const std::string& why_not() const { return why_not_; }
  /// One run for each choice of gears. Throws as Runner::run().
  [[nodiscard]] std::vector<RunInGears> run(std::span<const std::vector<model::Gear>> gears);

private:
  [[nodiscard]] Task task(const std::vector<model::Gear>& gears);

  Experiment experiment_;
  const Workspace& workspace_;
  std::string why_not_;
  Runner runner_;
  std::size_t made_ = 0;
};

} // namespace hypermile::simulate
