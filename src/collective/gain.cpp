#include "collective/gain.hpp"

#include "collective/measured_curve.hpp"

#include <algorithm>

namespace hypermile::collective {
namespace {

Gain gain(const Cell& library, const Cell& chosen) {
  std::vector<double> times;
  std::vector<double> energies;
  for (std::size_t pass = 0; pass < std::min(library.times.size(), chosen.times.size()); ++pass) {
    times.push_back(library.times[pass] / chosen.times[pass] - 1);
    if (pass < std::min(library.powers.size(), chosen.powers.size()))
      energies.push_back((library.times[pass] * library.powers[pass]) /
                             (chosen.times[pass] * chosen.powers[pass]) -
                         1);
  }
  return {.time = median(times),
          .energy = energies.empty() ? std::nullopt : std::optional(median(energies))};
}

} // namespace

std::optional<Gain> gain_over_library(const Calibration& calibration, std::size_t nodes,
                                      std::size_t processes_per_node, std::size_t size_b,
                                      const Variant& variant) {
  const Measured* const measured = find_measured(calibration, nodes, processes_per_node);
  if (measured == nullptr)
    return std::nullopt;
  const Cell* const library =
      find_cell(*measured, {.algorithm = std::string(library_choice.name)}, size_b);
  const Cell* const chosen = find_cell(*measured, variant, size_b);
  if (library == nullptr || chosen == nullptr || library->times.empty() || chosen->times.empty())
    return std::nullopt;
  return gain(*library, *chosen);
}

} // namespace hypermile::collective
