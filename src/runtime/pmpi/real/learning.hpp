#pragma once

#include "learn/memory.hpp"
#include "learn/starting_plan.hpp"
#include "runtime/pmpi/real/job_communicators.hpp"
#include "runtime/settings.hpp"
#include "select/selector.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hypermile::runtime::pmpi {

/// What earlier runs of the job have taught, and what this run adds to that.
class Learning {
public:
  /// Rank 0 looks for a plan where the settings ask for one, and tells all ranks. `node`: of the
  /// calling rank. Whatever goes wrong with files is told in the report. Collective.
  Learning(const Settings& settings, const JobCommunicators& job, const RankNode& node,
           const std::optional<select::Request>& request);

  /// Whether the run is to be remembered.
  [[nodiscard]] bool remembers() const { return !folder_.empty(); }
  /// The gear of the rank's node from MPI_Init on, and what it is expected to do in it; none: there
  /// is no plan.
  [[nodiscard]] const std::optional<learn::StartingPlan::Rank>& start() const { return start_; }

  /// What earlier runs of the job have learnt of its nodes; on rank 0.
  [[nodiscard]] const std::vector<LearntPower>& known_power() const { return known_power_; }

  /// S of the slowest gear of the plan, on any node.
  [[nodiscard]] double largest_scale() const { return largest_scale_; }

  /// The run has ended with this report; on rank 0. Adds it to what is known, and tells in the
  /// report what became of that and of the plan.
  void conclude(RunReport& run, const std::vector<std::string>& functions);

private:
  void look_for_plan(const Settings& settings, const std::optional<select::Request>& request);
  [[nodiscard]] std::optional<learn::StartingPlan>
  plan_of_memory(const std::optional<select::Request>& request);
  [[nodiscard]] std::optional<learn::StartingPlan> plan_of_file(const std::string& file);
  void remember(RunReport& run, const std::vector<std::string>& functions);

  std::string folder_;
  // Rank 0 only:
  learn::Identity identity_;
  std::optional<learn::StartingPlan> plan_;
  std::vector<LearntPower> known_power_;
  std::vector<std::string> remarks_;

  std::optional<learn::StartingPlan::Rank> start_;
  double largest_scale_ = 1;
};

} // namespace hypermile::runtime::pmpi
