#pragma once

#include "control/lease.hpp"
#include "control/ports.hpp"
#include "model/platform.hpp"
#include "runtime/exchange/run_report.hpp"
#include "runtime/pmpi/real/job_communicators.hpp"
#include "runtime/settings.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace hypermile::runtime::pmpi {

/// What connects a rank to its node.
struct NodeConnection {
  RankNode node;
  bool known = false;                      ///< its gears; false: nothing can be chosen for it
  std::optional<Speed> speed{};            ///< of a core, where a platform tells
  bool metered = false;                    ///< some rank of the node has its meter
  bool sets_gears = false;                 ///< of the node; by the rank that leads it
  std::unique_ptr<control::Lease> lease{}; ///< of the rank that sets the node's gears
  std::unique_ptr<control::Actuator> actuator{};
  std::unique_ptr<control::Meter> meter{};
  std::unique_ptr<control::Computation> computation{}; ///< of an emulated node only
  std::optional<NodeAccess> access{}; ///< where the rank is the one that touches the node
};

/// What the settings ask for, as far as the machine can do it; what it cannot is told in
/// `access`. Collective. Throws Error{config}, on all ranks alike, for settings that make no sense.
NodeConnection connect_node(const Settings& settings, const JobCommunicators& job);

/// The node of every rank, by rank. Collective.
std::vector<RankNode> nodes_of_ranks(const JobCommunicators& job, const RankNode& own);

/// The job has ended: what had been set is restored. Tells in `access` what could not be, whether
/// something else set the node's frequencies meanwhile, and whether the meter failed.
void give_back(NodeConnection& connection, const control::Actuator& actuator,
               const control::Meter& meter);

} // namespace hypermile::runtime::pmpi
