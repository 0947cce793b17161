#include "model/problem.hpp"

#include <algorithm>

namespace hypermile::model {

Prediction normalised(const Baseline& baseline, Seconds time, Joules energy) {
  const double p_norm = baseline.time / time;
  const double e_norm = energy / baseline.energy;
  return {time, energy, p_norm, e_norm, p_norm - e_norm};
}

Prediction normalised(const Problem& problem, Seconds time, Joules energy) {
  return normalised(problem.baseline(), time, energy);
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
  return normalised(problem, times / static_cast<double>(problem.group_count()), energy);
}

} // namespace hypermile::model
