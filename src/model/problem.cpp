#include "model/problem.hpp"

#include "model/problem_builder.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hypermile::model {
namespace {

void check(std::span<const AnalyticNode> nodes) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    require_usable(i, "computation time", nodes[i].computation.value());
    require_usable(i, "communication time", nodes[i].communication.value());
    require_usable(i, "dynamic power", nodes[i].dynamic_power.value());
    require_usable(i, "static power", nodes[i].static_power.value());
  }
}

/// Dynamic energy S^-2 * Pd * Tcp of [F16] Eq. 2.11 with `power` as Pd; waits with `waiting`.
void add_analytic(ProblemBuilder& builder, const AnalyticNode& node, Watts power, Watts waiting) {
  std::vector<GearCost> costs(node.gears.size());
  for (Gear g = 0; g < costs.size(); ++g) {
    const double scale = node.gears.scale(g);
    costs[g] = {node.computation * scale, power * node.computation / (scale * scale)};
  }
  builder.add_unit(node.gears, node.cluster, costs, {&waiting, 1});
}

ProblemBuilder analytic_builder(ModelKind kind, std::span<const AnalyticNode> nodes) {
  check(nodes);
  ProblemBuilder builder(kind, nodes.size());
  for (const AnalyticNode& node : nodes)
    add_analytic(builder, node, node.dynamic_power, node.static_power);
  return builder;
}

template <class Nodes> Seconds least_communication(const Nodes& nodes) {
  Seconds least = nodes[0].communication;
  for (const auto& node : nodes)
    least = std::min(least, node.communication);
  return least;
}

void add_table(ProblemBuilder& builder, std::size_t index, const TableNode& node) {
  if (node.measured.size() != node.gears.size())
    throw Error(ErrorKind::model, fmt::format("node {} has {} gears and {} measurements", index,
                                              node.gears.size(), node.measured.size()));
  require_usable(index, "communication time", node.communication.value());
  std::vector<GearCost> costs(node.measured.size());
  std::vector<Watts> waiting(costs.size());
  for (Gear g = 0; g < costs.size(); ++g) {
    const MeasuredGear& gear = node.measured[g];
    require_usable(index, fmt::format("computation time in gear {}", g), gear.time.value());
    require_usable(index, fmt::format("active energy in gear {}", g), gear.active_energy.value());
    require_usable(index, fmt::format("waiting power in gear {}", g), gear.waiting.value());
    costs[g] = {gear.time, gear.active_energy - gear.waiting * gear.time};
    waiting[g] = gear.waiting;
  }
  builder.add_unit(node.gears, node.cluster, costs, waiting);
}

void check(const HomogeneousCluster& cluster) {
  for (std::size_t i = 0; i < cluster.tasks.size(); ++i) {
    require_usable(i, "computation time", cluster.tasks[i].computation.value());
    require_usable(i, "communication time", cluster.tasks[i].communication.value());
  }
  require_usable(0, "dynamic power", cluster.dynamic_power.value());
  require_usable(0, "static power", cluster.static_power.value());
}

} // namespace

Joules rauber_energy(const HomogeneousCluster& cluster, double scale) {
  Seconds longest;
  for (const auto& task : cluster.tasks)
    longest = std::max(longest, task.computation + task.communication);
  if (longest == Seconds{})
    return Joules{};
  Seconds weighted; // T_1 + sum of T_i^3 / T_1^2
  for (const auto& task : cluster.tasks) {
    const double ratio = (task.computation + task.communication) / longest;
    weighted += longest * (ratio * ratio * ratio);
  }
  const auto nodes = static_cast<double>(cluster.tasks.size());
  return cluster.dynamic_power * weighted / (scale * scale) +
         cluster.static_power * longest * (scale * nodes);
}

Watts Problem::active_power(std::size_t unit, Gear gear) const {
  if (homogeneous_) {
    const double scale = gears(unit).scale(gear);
    return (homogeneous_->dynamic_power / (scale * scale * scale) + homogeneous_->static_power) *
           static_cast<double>(nodes_per_unit_);
  }
  const GearCost& cost = costs(unit)[gear];
  const Watts idle = waiting(unit, gear);
  return cost.time.value() > 0 ? idle + cost.energy / cost.time : idle;
}

Group Problem::group(std::size_t index) const {
  Group group = groups_[index];
  const std::size_t first = group_offsets_[index];
  group.units = {group_units_.data() + first, group_offsets_[index + 1] - first};
  return group;
}

Problem cluster_problem(std::span<const AnalyticNode> nodes) {
  auto builder = analytic_builder(ModelKind::cluster, nodes);
  builder.one_group(least_communication(nodes));
  Seconds measured;
  for (const AnalyticNode& node : nodes)
    measured = std::max(measured, node.computation + node.communication);
  return builder.finish(measured);
}

Problem grid_problem(std::span<const AnalyticNode> nodes) {
  auto builder = analytic_builder(ModelKind::grid, nodes);
  const auto slowest =
      std::max_element(nodes.begin(), nodes.end(),
                       [](const auto& a, const auto& b) { return a.computation < b.computation; });
  Seconds least = slowest->communication;
  for (const AnalyticNode& node : nodes)
    if (node.cluster == slowest->cluster)
      least = std::min(least, node.communication);
  builder.one_group(least);
  return builder.finish();
}

Problem hybrid_problem(std::span<const AnalyticNode> nodes) {
  auto builder = analytic_builder(ModelKind::hybrid, nodes);
  std::vector<Seconds> communication;
  communication.reserve(nodes.size());
  for (const AnalyticNode& node : nodes)
    communication.push_back(node.communication);
  builder.group_by_cluster(communication);
  return builder.finish();
}

Problem async_problem(std::span<const AnalyticNode> nodes, ModelKind kind) {
  check(nodes);
  ProblemBuilder builder(kind, nodes.size());
  for (const AnalyticNode& node : nodes) {
    if (kind == ModelKind::async_literal)
      add_analytic(builder, node, node.dynamic_power + node.static_power, Watts{});
    else
      add_analytic(builder, node, node.dynamic_power, node.static_power);
  }
  builder.group_each();
  return builder.finish();
}

Problem table_problem(std::span<const TableNode> nodes) {
  ProblemBuilder builder(ModelKind::table, nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i)
    add_table(builder, i, nodes[i]);
  builder.one_group(least_communication(nodes));
  return builder.finish();
}

Problem uncoupled_problem(std::span<const TableNode> nodes, ModelKind kind) {
  if (kind != ModelKind::hybrid && kind != ModelKind::async)
    throw Error(ErrorKind::model, "measured nodes that do not wait are hybrid or async");
  ProblemBuilder builder(kind, nodes.size());
  std::vector<Seconds> communication;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    add_table(builder, i, nodes[i]);
    communication.push_back(nodes[i].communication);
  }
  if (kind == ModelKind::hybrid)
    builder.group_by_cluster(communication);
  else
    builder.group_each();
  return builder.finish();
}

Problem homogeneous_problem(HomogeneousCluster cluster, ModelKind kind) {
  ProblemBuilder builder(kind, cluster.tasks.size());
  check(cluster);
  Seconds longest;
  Seconds total;
  for (const auto& task : cluster.tasks) {
    longest = std::max(longest, task.computation);
    total += task.computation;
  }
  std::vector<GearCost> costs(cluster.gears.size());
  for (Gear g = 0; g < costs.size(); ++g) {
    const double scale = cluster.gears.scale(g);
    costs[g] = {longest * scale, kind == ModelKind::rauber
                                     ? rauber_energy(cluster, scale)
                                     : cluster.dynamic_power * total / (scale * scale)};
  }
  // Eq. 1.19 holds all of the energy already; Eq. 2.13 adds static power over T_new.
  const Watts waiting = kind == ModelKind::rauber
                            ? Watts{}
                            : cluster.static_power * static_cast<double>(cluster.tasks.size());
  builder.add_unit(cluster.gears, 0, costs, {&waiting, 1});
  builder.one_group(least_communication(cluster.tasks));
  builder.all_nodes_in_one_unit(std::move(cluster));
  return builder.finish();
}

std::optional<HomogeneousCluster> homogeneous_cluster(std::span<const TableNode> nodes) {
  const GearTable& gears = nodes.front().gears;
  const Watts waiting = nodes.front().measured.front().waiting;
  std::vector<HomogeneousCluster::Task> tasks;
  Seconds computation;
  Joules active;
  for (const TableNode& node : nodes) {
    const MeasuredGear& gear0 = node.measured.front();
    if (node.gears != gears || gear0.waiting != waiting)
      return std::nullopt;
    tasks.push_back({gear0.time, node.communication});
    computation += gear0.time;
    active += gear0.active_energy;
  }
  const Watts dynamic = computation > Seconds{} ? active / computation - waiting : Watts{};
  return HomogeneousCluster{gears, std::move(tasks), dynamic, waiting};
}

Problem with_energy_model(const Problem& problem, ModelKind kind) {
  if (problem.homogeneous() == nullptr)
    throw Error(ErrorKind::model, "an energy model can be chosen for homogeneous problems only");
  return homogeneous_problem(*problem.homogeneous(), kind);
}

Prediction normalised(const Baseline& baseline, Seconds time, Joules energy) {
  const double p_norm = baseline.time / time;
  const double e_norm = energy / baseline.energy;
  return {time, energy, p_norm, e_norm, p_norm - e_norm};
}

Prediction predict(const Problem& problem, std::span<const Gear> gears) {
  Seconds times;
  Joules energy;
  for (std::size_t k = 0; k < problem.group_count(); ++k) {
    const Group group = problem.group(k);
    Seconds longest;
    Watts waiting;
    for (const std::uint32_t unit : group.units) {
      const GearCost& cost = problem.costs(unit)[gears[unit]];
      longest = std::max(longest, cost.time);
      energy += cost.energy;
      waiting += problem.waiting(unit, gears[unit]);
    }
    const Seconds time = longest + group.communication;
    times += time;
    energy += waiting * time;
  }
  return normalised(problem.baseline(), times / static_cast<double>(problem.group_count()), energy);
}

} // namespace hypermile::model
