#include "tune/chosen.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace hypermile::tune {
namespace {

using collective::Calibration;
using collective::Measured;

/// Sizes at which all cells of one number of processes have been measured.
std::pair<std::size_t, std::size_t> range_of(const Measured& measured) {
  const auto [least, most] =
      std::ranges::minmax_element(measured.cells, {}, &collective::Cell::size_b);
  return {least->size_b, most->size_b};
}

std::vector<std::size_t> grid(std::size_t first_b, std::size_t last_b) {
  constexpr double steps_per_doubling = 4;
  std::vector<std::size_t> sizes;
  for (int i = 0;; ++i) {
    const double size_b = static_cast<double>(first_b) * std::exp2(i / steps_per_doubling);
    if (size_b > static_cast<double>(last_b))
      return sizes;
    sizes.push_back(static_cast<std::size_t>(size_b));
  }
}

void add(Chosen& chosen, std::size_t size_b, std::optional<collective::Variant> variant) {
  if (chosen.from.back().variant != variant)
    chosen.from.push_back({.size_b = size_b, .variant = std::move(variant)});
}

Chosen choose_for(const collective::Model& model, const Measured& measured,
                  const collective::Aim& aim) {
  Chosen chosen{.processes = measured.nodes * measured.processes_per_node, .from = {{}}};
  const auto [first_b, last_b] = range_of(measured);
  for (const std::size_t size_b : grid(first_b, last_b)) {
    auto estimates = model.estimate({.nodes = measured.nodes,
                                     .processes_per_node = measured.processes_per_node,
                                     .size_b = size_b});
    std::erase_if(estimates, [](const auto& estimate) { return estimate.variant.hybrid; });
    const auto choice = choose(estimates, aim);
    add(chosen, size_b,
        choice.undecided.empty() ? std::optional(estimates[choice.index].variant) : std::nullopt);
  }
  add(chosen, last_b + 1, std::nullopt);
  return chosen;
}

} // namespace

std::vector<Chosen> choose_all(const Calibration& calibration, const collective::Aim& aim) {
  if (calibration.conditions.library == collective::Library::smpi)
    throw Error(ErrorKind::unsupported,
                "the calibration is of a simulated machine: no MPI library takes its rules",
                "'hypermile bcast choose', and calibrate with mpirun on the machine itself");
  const collective::Model model(calibration);
  // The same number of processes on more nodes: the library's rules know processes only.
  std::map<std::size_t, const Measured*> by_processes;
  for (const Measured& measured : calibration.measured) {
    const Measured*& kept = by_processes[measured.nodes * measured.processes_per_node];
    if (kept == nullptr || kept->nodes < measured.nodes)
      kept = &measured;
  }
  std::vector<Chosen> all;
  for (const auto& [processes, measured] : by_processes)
    all.push_back(choose_for(model, *measured, aim));
  return all;
}

std::string print_chosen(const std::vector<Chosen>& all) {
  std::string text;
  for (const Chosen& chosen : all) {
    text += fmt::format("{} processes\n", chosen.processes);
    for (const ChosenFrom& from : chosen.from)
      text += fmt::format("  from {:<10} {}\n",
                          from.size_b == 0 ? "0B" : collective::size_text(from.size_b),
                          from.variant ? label(*from.variant) : "as the library chooses");
  }
  return text;
}

} // namespace hypermile::tune
