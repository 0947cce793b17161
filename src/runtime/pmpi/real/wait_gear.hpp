#pragma once

#include "control/ports.hpp"
#include "govern/expected_waits.hpp"
#include "runtime/exchange/run_report.hpp"
#include "runtime/pmpi/real/job_communicators.hpp"
#include "runtime/pmpi/real/node_connection.hpp"
#include "runtime/settings.hpp"
#include "runtime/wait_gear/keeper.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace hypermile::runtime::pmpi {

/// The wait gear of a node, as one of its ranks takes part in it: the one that sets the node's
/// gears also has the thread that changes them.
class NodeWaitGear {
public:
  /// Collective. The actuator of the rank that sets the node's gears becomes one that both may use.
  /// Where a node can have no wait gear, that rank's use() says why.
  NodeWaitGear(const Settings& settings, const JobCommunicators& job, NodeConnection& connection);

  /// Who is told of the rank's calls; null: nobody wants to know. This must outlive it.
  [[nodiscard]] std::unique_ptr<control::CallListener> listener();
  /// For so long the node's ranks were held up; empty: another rank knows, or no
  /// gear is set.
  [[nodiscard]] std::function<Seconds()> held_up() const;
  /// The program begins.
  void start();
  /// All ranks have arrived at MPI_Finalize: the node is in the gear to compute in. Returns what
  /// came of it; none: another rank knows.
  std::optional<WaitGearUse> stop();

private:
  class Listener;
  void meet(const JobCommunicators& job, const NodeConnection& connection);
  void keep(const Settings& settings, NodeConnection& connection);

  bool expects_;          ///< waits, by the loop
  bool keeps_;            ///< the node's gear
  std::size_t ranks_ = 0; ///< of the node
  std::size_t slot_ = 0;  ///< the rank's, among these
  std::string problem_{}; ///< why the node has none; empty: it has
  std::unique_ptr<WaitBoard> board_{};
  std::unique_ptr<WaitGearKeeper> keeper_{};
};

} // namespace hypermile::runtime::pmpi
