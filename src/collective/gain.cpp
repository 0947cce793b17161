#include "collective/gain.hpp"

#include "collective/measured_curve.hpp"
#include "collective/order_statistics.hpp"
#include "estimate/student_t.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace hypermile::collective {
namespace {

Joules energy_of(const Cell& cell, std::size_t pass) {
  return (cell.inside.empty() ? cell.times : cell.inside)[pass] * cell.powers[pass];
}

const Cell* find_library(const Measured& measured, std::size_t size_b) {
  return find_cell(measured, {.algorithm = std::string(library_choice.name)}, size_b);
}

Gain gain(const Cell& library, const Cell& chosen) {
  std::vector<double> times;
  std::vector<double> energies;
  for (std::size_t pass = 0; pass < std::min(library.times.size(), chosen.times.size()); ++pass) {
    times.push_back(library.times[pass] / chosen.times[pass] - 1);
    if (pass < std::min(library.powers.size(), chosen.powers.size()))
      energies.push_back(energy_of(library, pass) / energy_of(chosen, pass) - 1);
  }
  return {.time = median(times),
          .energy = energies.empty() ? std::nullopt : std::optional(median(energies))};
}

/// Of the mean of all values of which these are samples being at most 0.
double probability_not_above_zero(const std::vector<double>& values) {
  if (values.size() < 2)
    return 1;
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  const double error = deviation(values) / std::sqrt(count);
  if (error == 0)
    return mean > 0 ? 0 : 1;
  return estimate::student_t_beyond(mean / error, values.size() - 1);
}

/// By pass: above 0, the library costs more.
std::vector<double> log_ratios(const Cell& library, const Cell& chosen, Aim::Least least) {
  std::vector<double> ratios;
  for (std::size_t pass = 0; pass < std::min(library.times.size(), chosen.times.size()); ++pass) {
    if (least == Aim::Least::time)
      ratios.push_back(std::log(library.times[pass] / chosen.times[pass]));
    else if (pass < std::min(library.powers.size(), chosen.powers.size()))
      ratios.push_back(std::log(energy_of(library, pass) / energy_of(chosen, pass)));
  }
  return ratios;
}

double probability_at(const Measured& measured, std::size_t size_b, const Variant& variant,
                      Aim::Least least) {
  const Cell* const library = find_library(measured, size_b);
  const Cell* const chosen = find_cell(measured, variant, size_b);
  if (library == nullptr || chosen == nullptr)
    return 0;
  const auto variants = std::ranges::count_if(measured.cells, [&](const Cell& cell) {
    return cell.size_b == size_b && cell.variant.algorithm != library_choice.name;
  });
  const double wrong = probability_not_above_zero(log_ratios(*library, *chosen, least));
  return std::max(0.0, 1 - static_cast<double>(variants) * wrong);
}

} // namespace

std::optional<Gain> gain_over_library(const Calibration& calibration, std::size_t nodes,
                                      std::size_t processes_per_node, std::size_t size_b,
                                      const Variant& variant) {
  const Measured* const measured = find_measured(calibration, nodes, processes_per_node);
  if (measured == nullptr)
    return std::nullopt;
  const Cell* const library = find_library(*measured, size_b);
  const Cell* const chosen = find_cell(*measured, variant, size_b);
  if (library == nullptr || chosen == nullptr || library->times.empty() || chosen->times.empty())
    return std::nullopt;
  return gain(*library, *chosen);
}

double probability_less_than_library(const Calibration& calibration, std::size_t nodes,
                                     std::size_t processes_per_node, std::size_t size_b,
                                     const Variant& variant, Aim::Least least) {
  const Measured* const measured = find_measured(calibration, nodes, processes_per_node);
  if (measured == nullptr)
    return 0;
  std::optional<std::size_t> below_b;
  std::optional<std::size_t> above_b;
  for (const Cell& cell : measured->cells) {
    if (cell.size_b <= size_b)
      below_b = std::max(below_b.value_or(cell.size_b), cell.size_b);
    if (cell.size_b >= size_b)
      above_b = std::min(above_b.value_or(cell.size_b), cell.size_b);
  }
  if (!below_b || !above_b)
    return 0;
  return std::min(probability_at(*measured, *below_b, variant, least),
                  probability_at(*measured, *above_b, variant, least));
}

} // namespace hypermile::collective
