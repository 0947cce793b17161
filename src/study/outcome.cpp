#include "study/outcome.hpp"

#include <algorithm>

namespace hypermile::study {

Effect effect_of(const Run& run, const Run& unscaled) {
  const double time = run.time / unscaled.time;
  const double energy = run.energy / unscaled.energy;
  return {.slowdown = time - 1, .saving = 1 - energy, .distance = 1 / time - energy};
}

const char* name_of(Outcome::Status status) {
  switch (status) {
  case Outcome::Status::done:
    return "done";
  case Outcome::Status::failed:
    return "failed";
  case Outcome::Status::missing:
    break;
  }
  return "missing";
}

std::size_t Results::count(Outcome::Status status) const {
  return static_cast<std::size_t>(std::ranges::count(outcomes, status, &Outcome::status));
}

std::vector<MethodMean> means(const Results& results) {
  std::vector<MethodMean> all;
  for (const Outcome& outcome : results.outcomes)
    for (std::size_t r = 1; r < outcome.runs.size(); ++r) {
      const Run& run = outcome.runs[r];
      auto entry = std::ranges::find(all, run.method, &MethodMean::method);
      if (entry == all.end())
        entry = all.insert(all.end(), MethodMean{.method = run.method});
      const Effect effect = effect_of(run, outcome.runs.front());
      entry->cells += 1;
      entry->mean.slowdown += effect.slowdown;
      entry->mean.saving += effect.saving;
      entry->mean.distance += effect.distance;
    }
  for (auto& [method, cells, mean] : all) {
    const auto count = static_cast<double>(cells);
    mean = {mean.slowdown / count, mean.saving / count, mean.distance / count};
  }
  return all;
}

} // namespace hypermile::study
