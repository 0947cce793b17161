#pragma once

#include "runtime/pmpi/real/node_connection.hpp"

namespace hypermile::runtime::pmpi {

/// Gear 0 for ever: of a node whose gears are unknown, or shall not be touched.
class NoActuator final : public control::Actuator {
public:
  [[nodiscard]] std::size_t gear() const override { return 0; }
  void set_gear(std::size_t) override {}
};

/// The CPUs that the ranks of this host may run on. Collective on the host.
std::vector<int> cpus_of_ranks(const JobCommunicators& job);

/// What is known of hosts, and assumed of those of which nothing is.
struct Knowledge {
  const std::optional<model::Platform>& platform;
  const model::NodeType* assumed = nullptr; ///< of the platform, for hosts that it does not name
  std::optional<model::Platform> generic{}; ///< for hosts whose frequencies are unknown
};

/// The host that the rank runs on, by the backend and meter of the settings. Collective.
NodeConnection connect_real_node(const Settings& settings, const JobCommunicators& job,
                                 const Knowledge& knowledge);

/// Of the platform's types.
std::vector<std::string> type_names(const model::Platform& platform);

} // namespace hypermile::runtime::pmpi
