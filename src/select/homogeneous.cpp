#include "select/solvers.hpp"

#include <algorithm>
#include <cmath>

namespace hypermile::select {
namespace {

using model::Gear;
using model::GearTable;
using model::HomogeneousCluster;

Seconds whole(const HomogeneousCluster::Task& task) {
  return task.computation + task.communication;
}

std::size_t longest_task(const HomogeneousCluster& cluster) {
  const auto longest =
      std::max_element(cluster.tasks.begin(), cluster.tasks.end(),
                       [](const auto& a, const auto& b) { return whole(a) < whole(b); });
  return static_cast<std::size_t>(longest - cluster.tasks.begin());
}

Gear slowest_at_least(const GearTable& gears, Hertz wanted) {
  Gear gear = gears.size() - 1;
  while (gear > 0 && gears.frequency(gear) < wanted * (1 - bound_tolerance))
    --gear;
  return gear;
}

/// [F16] Eq. 2.2 and 2.9: S_i = S * T_1 / T_i, and F_max / S_i rounded up to a gear. A task
/// without any time gets the slowest gear.
TaskScaling scale_tasks(const HomogeneousCluster& cluster, double optimal, double scale) {
  TaskScaling tasks;
  tasks.optimal_scale = optimal;
  tasks.scale = scale;
  const Seconds longest = whole(cluster.tasks[longest_task(cluster)]);
  for (const auto& task : cluster.tasks) {
    tasks.scales.push_back(whole(task) > Seconds{} ? scale * (longest / whole(task))
                                                   : cluster.gears.scale(cluster.gears.size() - 1));
    tasks.gears.push_back(
        slowest_at_least(cluster.gears, cluster.gears.frequency(0) / tasks.scales.back()));
  }
  return tasks;
}

/// [F16] Eq. 2.3. Without static power slower is always cheaper: infinite.
double optimal_scale(const HomogeneousCluster& cluster) {
  const Seconds longest = whole(cluster.tasks[longest_task(cluster)]);
  double cubes = 0;
  for (const auto& task : cluster.tasks)
    cubes += std::pow(whole(task) / longest, 3);
  const auto nodes = static_cast<double>(cluster.tasks.size());
  return std::cbrt(2 / nodes * (cluster.dynamic_power / cluster.static_power) * cubes);
}

/// [F16] Eq. 2.4 with a factor per task.
Seconds stretched_time(const HomogeneousCluster& cluster, const std::vector<double>& scales) {
  Seconds computation;
  Seconds communication = cluster.tasks[0].communication;
  for (std::size_t i = 0; i < scales.size(); ++i) {
    computation = std::max(computation, cluster.tasks[i].computation * scales[i]);
    communication = std::min(communication, cluster.tasks[i].communication);
  }
  return computation + communication;
}

/// [F16] Eq. 1.19 before its factors are tied to each other: dynamic energy Pd * T_i / S_i^2 of
/// each task, static power of all nodes until the last T_i * S_i.
Joules stretched_energy(const HomogeneousCluster& cluster, const std::vector<double>& scales) {
  Joules energy;
  Seconds last;
  for (std::size_t i = 0; i < scales.size(); ++i) {
    energy += cluster.dynamic_power * whole(cluster.tasks[i]) / (scales[i] * scales[i]);
    last = std::max(last, whole(cluster.tasks[i]) * scales[i]);
  }
  return energy + cluster.static_power * last * static_cast<double>(scales.size());
}

} // namespace

void epsa(const model::Problem& problem, Plan& plan) {
  double largest = 0;
  plan.gears.assign(1, 0);
  for (Gear gear = 1; gear < problem.gear_count(0); ++gear)
    if (const double distance = predict(problem, {&gear, 1}).distance; distance > largest) {
      largest = distance;
      plan.gears[0] = gear;
    }
  plan.prediction = predict(problem, plan.gears);
  const HomogeneousCluster& cluster = *problem.homogeneous();
  const double scale = cluster.gears.scale(plan.gears[0]);
  plan.tasks = scale_tasks(cluster, scale, scale);
}

void rauber_ruenger(const model::Problem& problem, bool slowest_at_full_speed, Plan& plan) {
  const HomogeneousCluster& cluster = *problem.homogeneous();
  const double optimal = optimal_scale(cluster);
  const double scale = std::clamp(optimal, 1.0, cluster.gears.scale(cluster.gears.size() - 1));
  TaskScaling tasks = scale_tasks(cluster, optimal, scale);
  const std::vector<double> same(cluster.tasks.size(), scale);
  Seconds time = stretched_time(cluster, same);
  Joules energy = model::rauber_energy(cluster, scale);
  if (slowest_at_full_speed) {
    const std::size_t slowest = longest_task(cluster);
    tasks.scales[slowest] = 1;
    tasks.gears[slowest] = 0;
    time = stretched_time(cluster, tasks.scales);
    energy = stretched_energy(cluster, tasks.scales);
  }
  const double p_norm = problem.baseline().time / time;
  const double e_norm = energy / model::rauber_energy(cluster, 1);
  plan.prediction = {time, energy, p_norm, e_norm, p_norm - e_norm};
  plan.gears.assign(1, slowest_at_least(cluster.gears, cluster.gears.frequency(0) / scale));
  plan.tasks = std::move(tasks);
}

} // namespace hypermile::select
