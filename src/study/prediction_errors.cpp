#include "study/prediction_errors.hpp"

#include <algorithm>
#include <cmath>

namespace hypermile::study {
namespace {

/// Largest ones are kept; means become sums, to be divided.
void add(PredictionErrors& sum, const PredictionErrors& more) {
  sum.largest_time = std::max(sum.largest_time, more.largest_time);
  sum.largest_energy = std::max(sum.largest_energy, more.largest_energy);
  sum.mean_time += more.mean_time;
  sum.mean_energy += more.mean_energy;
}

void divide(PredictionErrors& sum, std::size_t count) {
  sum.mean_time /= static_cast<double>(count);
  sum.mean_energy /= static_cast<double>(count);
}

std::optional<PredictionErrors> errors_of(const char* model,
                                          std::optional<Prediction> Run::*predicted,
                                          const std::vector<Run>& runs) {
  PredictionErrors all{.model = model};
  for (std::size_t r = 1; r < runs.size(); ++r) {
    const Run& run = runs[r];
    const auto& prediction = run.*predicted;
    if (!prediction)
      return std::nullopt;
    const double time = std::abs(prediction->time / run.time - 1);
    const double energy = std::abs(prediction->energy / run.energy - 1);
    add(all, {.model = model,
              .largest_time = time,
              .mean_time = time,
              .largest_energy = energy,
              .mean_energy = energy});
  }
  divide(all, runs.size() - 1);
  return all;
}

} // namespace

std::vector<PredictionErrors> prediction_errors(const std::vector<Run>& runs) {
  std::vector<PredictionErrors> models;
  if (runs.size() < 2)
    return models;
  if (const auto errors = errors_of("cluster", &Run::by_cluster, runs))
    models.push_back(*errors);
  if (const auto errors = errors_of("dependency", &Run::by_dependency, runs))
    models.push_back(*errors);
  return models;
}

std::vector<PredictionErrors> over_all(const std::vector<std::vector<PredictionErrors>>& programs) {
  std::vector<PredictionErrors> all;
  for (const char* model : {"cluster", "dependency"}) {
    PredictionErrors sum{.model = model};
    std::size_t count = 0;
    for (const auto& models : programs)
      if (const auto errors = std::ranges::find(models, model, &PredictionErrors::model);
          errors != models.end()) {
        add(sum, *errors);
        ++count;
      }
    if (count == 0 || count < programs.size())
      continue;
    divide(sum, count);
    all.push_back(sum);
  }
  return all;
}

} // namespace hypermile::study
