#pragma once

#include "model/problem.hpp"

#include <map>
#include <string_view>

namespace hypermile::model {

/// Fills a Problem unit by unit and checks it. Not part of the public interface.
class ProblemBuilder {
public:
  ProblemBuilder(ModelKind kind, std::size_t units);

  /// `waiting`: one entry, or one per gear.
  void add_unit(const GearTable& gears, std::size_t cluster, std::span<const GearCost> costs,
                std::span<const Watts> waiting);
  /// Puts all units into one group.
  void one_group(Seconds communication);
  /// Puts every unit into a group of its own, without communication.
  void group_each();
  /// One group per distinct cluster; `communication` of unit i counts in its cluster.
  void group_by_cluster(std::span<const Seconds> communication);
  void all_nodes_in_one_unit(HomogeneousCluster cluster);

  /// Predicts gear 0, or takes `measured` as the baseline's time with energy predicted for it.
  [[nodiscard]] Problem finish(std::optional<Seconds> measured = std::nullopt);

private:
  /// From one waiting power per unit to one per gear, once the first unit needs it.
  void spread_waiting();
  void add_group(std::span<const std::uint32_t> units, Seconds communication);
  void check_magnitude() const;

  Problem problem_;
  std::map<std::vector<double>, std::uint32_t> table_ids_;
};

/// Throws Error{model}, naming node and quantity, unless the value is finite and not negative.
void require_usable(std::size_t node, std::string_view quantity, double value);

} // namespace hypermile::model
