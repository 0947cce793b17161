#pragma once

#include "model/gear.hpp"
#include "units/quantity.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace hypermile::model {

/// How the nodes of a problem are coupled, and which equations predict time and energy.
enum class ModelKind {
  rauber,        ///< one gear for all, energy by Rauber and Ruenger: [F16] Eq. 1.19, 2.4
  homogeneous,   ///< one gear for all, energy by [F16] Eq. 2.13
  cluster,       ///< nodes that wait for the slowest: [F16] Eq. 3.1-3.4
  grid,          ///< clusters that wait for the slowest: [F16] Eq. 3.8-3.11
  hybrid,        ///< synchronous inside a cluster, asynchronous between: [F16] Eq. 4.2, 4.4-4.7
  async,         ///< nobody waits; static power is drawn for the stretched time: [F16] Eq. 4.1
  async_literal, ///< as `async` with Eq. 4.3 as printed: static energy *falls* with S^2
  table          ///< as `cluster`, with time and energy measured in every gear
};

/// Whether nodes or clusters go on without waiting for all others.
[[nodiscard]] constexpr bool is_asynchronous(ModelKind kind) {
  return kind == ModelKind::hybrid || kind == ModelKind::async || kind == ModelKind::async_literal;
}

/// A node whose behaviour in other gears follows from gear 0: computation stretches with S,
/// communication does not, dynamic power falls with S^3. All times are of one iteration.
struct AnalyticNode {
  GearTable gears;
  Seconds computation;   ///< Tcp in gear 0, >= 0
  Seconds communication; ///< Tcm in gear 0 (hybrid: inside the cluster), >= 0
  Watts dynamic_power;   ///< Pd in gear 0, >= 0
  Watts static_power;    ///< Ps, >= 0
  std::size_t cluster = 0;
};

/// What was measured of a node in one gear, for one iteration.
struct MeasuredGear {
  Seconds time;         ///< of the computation, >= 0
  Joules active_energy; ///< of the whole node during `time`, >= 0
  Watts waiting;        ///< of the whole node while its ranks wait for others, >= 0
};

/// A node that was measured in every gear. Times need not grow from gear to gear.
struct TableNode {
  GearTable gears;
  std::vector<MeasuredGear> measured; ///< one per gear
  Seconds communication;              ///< >= 0
  std::size_t cluster = 0;
};

/// A cluster of identical nodes that share one gear; the tasks may differ.
struct HomogeneousCluster {
  struct Task {
    Seconds computation;   ///< Tcp in gear 0, >= 0
    Seconds communication; ///< Tcm in gear 0, >= 0
  };
  GearTable gears;
  std::vector<Task> tasks; ///< one per node
  Watts dynamic_power;     ///< Pd of one node in gear 0, >= 0
  Watts static_power;      ///< Ps of one node, >= 0
};

/// What one gear costs a unit: its computation time, and the energy it draws above what it
/// would draw by waiting all the time. The latter may be negative.
struct GearCost {
  Seconds time;
  Joules energy;
};

/// Units that wait for each other. The group's time is the largest computation time plus
/// `communication`; each unit draws its waiting power all that time, and its GearCost's energy.
struct Group {
  std::span<const std::uint32_t> units;
  Seconds communication;
  Watts waiting;       ///< of all its units in gear 0
  Seconds shortest;    ///< no gears make the longest computation time of a unit shorter
  Seconds latest;      ///< nor longer
  Joules least_energy; ///< no gears make the sum of the GearCosts' energies smaller
};

/// Time and energy of the program as it was measured, in gear 0: what P_norm and E_norm refer to.
struct Baseline {
  Seconds time;
  Joules energy;
};

/// What a gear vector will do to one iteration. [F16] Eq. 3.3-3.5
struct Prediction {
  Seconds time;
  Joules energy;
  double p_norm = 0;   ///< T_old / T_new: above 1 is faster than the baseline
  double e_norm = 0;   ///< E_new / E_old: below 1 saves energy
  double distance = 0; ///< p_norm - e_norm, what MaxDist maximises
};

/// A gear selection problem in the one form that all models share: *units*, each of which gets
/// one gear, in groups. A unit is a node, or all nodes together in the homogeneous models.
///
///     T = mean over the groups of (max time of a unit + communication)
///     E = sum over the units of energy(gear) + waiting(gear) * (time of its group)
///
/// One group holds every unit (cluster, grid, table), the units of one cluster (hybrid), or one
/// unit (async). The functions below build it; all throw Error{model} naming the node and the
/// value that no model can use (negative, not finite, nothing to compute, no energy).
class Problem {
public:
  [[nodiscard]] ModelKind kind() const { return kind_; }
  /// Machines whose gear is set; the homogeneous models set them all alike.
  [[nodiscard]] std::size_t node_count() const { return unit_count() * nodes_per_unit_; }
  [[nodiscard]] std::size_t unit_count() const { return offsets_.size() - 1; }
  [[nodiscard]] std::size_t nodes_per_unit() const { return nodes_per_unit_; }
  [[nodiscard]] std::size_t gear_count(std::size_t unit) const {
    return offsets_[unit + 1] - offsets_[unit];
  }
  [[nodiscard]] const GearTable& gears(std::size_t unit) const { return tables_[table_of_[unit]]; }
  [[nodiscard]] std::size_t cluster(std::size_t unit) const { return clusters_[unit]; }

  [[nodiscard]] std::span<const GearCost> costs(std::size_t unit) const {
    return {costs_.data() + offsets_[unit], gear_count(unit)};
  }
  /// Power of a whole unit while it waits.
  [[nodiscard]] Watts waiting(std::size_t unit, Gear gear) const {
    return waiting_[waiting_depends_on_gear_ ? offsets_[unit] + gear : unit];
  }
  [[nodiscard]] bool waiting_depends_on_gear() const { return waiting_depends_on_gear_; }
  /// Power of a whole unit while it computes: what counts against a peak-power cap.
  [[nodiscard]] Watts active_power(std::size_t unit, Gear gear) const;

  [[nodiscard]] std::size_t group_count() const { return group_offsets_.size() - 1; }
  [[nodiscard]] Group group(std::size_t index) const;
  [[nodiscard]] const Baseline& baseline() const { return baseline_; }
  /// In every unit a lower gear is slower and takes less energy, and waiting power does not
  /// depend on the gear: true of all analytic models, rarely of measurements.
  [[nodiscard]] bool monotone() const { return monotone_; }
  /// What a homogeneous problem was made of; null for the other models.
  [[nodiscard]] const HomogeneousCluster* homogeneous() const { return homogeneous_.get(); }

private:
  friend class ProblemBuilder;
  ModelKind kind_ = ModelKind::cluster;
  std::size_t nodes_per_unit_ = 1;
  std::vector<std::size_t> offsets_{0};
  std::vector<GearCost> costs_;
  std::vector<Watts> waiting_; // per unit, or per gear as costs_
  bool waiting_depends_on_gear_ = false;
  bool monotone_ = true;
  std::vector<GearTable> tables_;
  std::vector<std::uint32_t> table_of_;
  std::vector<std::size_t> clusters_;
  std::vector<Group> groups_; // their units are set when asked for
  std::vector<std::size_t> group_offsets_{0};
  std::vector<std::uint32_t> group_units_;
  Baseline baseline_;
  std::shared_ptr<const HomogeneousCluster> homogeneous_;
};

/// C = the least communication time; T_old = max(Tcp + Tcm). [F16] Eq. 3.1-3.4, [C15]
[[nodiscard]] Problem cluster_problem(std::span<const AnalyticNode> nodes);
/// C = the least communication time in the cluster of the node with the largest Tcp in gear 0
/// (the first of several). [F16] Eq. 3.8-3.11
[[nodiscard]] Problem grid_problem(std::span<const AnalyticNode> nodes);
/// One group per distinct `cluster`, with its own least communication time. [F16] Eq. 4.2-4.7
[[nodiscard]] Problem hybrid_problem(std::span<const AnalyticNode> nodes);
/// `kind`: async or async_literal. Communication is hidden behind computation. [F16] Eq. 4.1, 4.3
[[nodiscard]] Problem async_problem(std::span<const AnalyticNode> nodes,
                                    ModelKind kind = ModelKind::async);
/// C = the least communication time; T_old and E_old are the prediction for gear 0.
[[nodiscard]] Problem table_problem(std::span<const TableNode> nodes);
/// The same for nodes or clusters that do not wait for all others. `kind`: hybrid (one group per
/// distinct `cluster`, with its own least communication time) or async (each node for itself,
/// communication is hidden behind computation).
[[nodiscard]] Problem uncoupled_problem(std::span<const TableNode> nodes, ModelKind kind);
/// `kind`: homogeneous or rauber. One unit that stands for all nodes. [F16] Eq. 2.4, 2.13, 1.19
[[nodiscard]] Problem homogeneous_problem(HomogeneousCluster cluster,
                                          ModelKind kind = ModelKind::homogeneous);

/// Measured nodes as a homogeneous cluster, by their figures in gear 0: what they draw while they
/// compute is the mean of all. None where their gears or what they draw while they wait differ.
[[nodiscard]] std::optional<HomogeneousCluster>
homogeneous_cluster(std::span<const TableNode> nodes);

/// The same homogeneous problem under the other energy model. `kind`: homogeneous or rauber.
/// Throws Error{model} if the problem is not a homogeneous one.
[[nodiscard]] Problem with_energy_model(const Problem& problem, ModelKind kind);

/// Energy of one iteration with the slowest task scaled by `scale` and the others so that all
/// take equally long. T_i is the whole time of task i, T_1 the largest. [F16] Eq. 1.19, 2.2
[[nodiscard]] Joules rauber_energy(const HomogeneousCluster& cluster, double scale);

/// Time and energy of one iteration by the equations of the problem's model: [F16] Eq. 2.4, 2.13,
/// 3.1, 3.2, 3.8-3.11, 4.1-4.7. `gears`: one per unit, each less than its gear_count().
[[nodiscard]] Prediction predict(const Problem& problem, std::span<const Gear> gears);

/// P_norm, E_norm and their distance, against a baseline: [F16] Eq. 3.3-3.5.
[[nodiscard]] Prediction normalised(const Baseline& baseline, Seconds time, Joules energy);

} // namespace hypermile::model
