#include "tune/chosen.hpp"

#include "collective/gain.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

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

std::vector<std::size_t> grid(std::size_t first_b, std::size_t last_b, std::size_t element_b) {
  constexpr double steps_per_doubling = 4;
  std::vector<std::size_t> sizes;
  for (int i = 0;; ++i) {
    const double size_b = static_cast<double>(first_b) * std::exp2(i / steps_per_doubling);
    if (size_b > static_cast<double>(last_b))
      return sizes;
    const std::size_t whole_b = static_cast<std::size_t>(size_b) / element_b * element_b;
    if (sizes.empty() || whole_b > sizes.back())
      sizes.push_back(whole_b);
  }
}

void add(Chosen& chosen, std::size_t size_b, std::optional<collective::Variant> variant) {
  if (chosen.from.back().variant != variant)
    chosen.from.push_back({.size_b = size_b, .variant = std::move(variant)});
}

/// The algorithm, where one is decided. Which of several is the least need not be known where the
/// least so far is less than what the library takes, which `less_than_library` says.
template <class Probability>
std::optional<collective::Variant> choose_among(const std::vector<collective::Estimate>& estimates,
                                                const collective::Aim& aim,
                                                const Probability& less_than_library) {
  if (estimates.empty())
    return std::nullopt;
  const auto choice = choose(estimates, aim);
  const auto& best = estimates[choice.index].variant;
  const bool pays = choice.undecided.empty() || less_than_library(best) >= aim.confidence;
  return pays ? std::optional(best) : std::nullopt;
}

Chosen choose_for(const Calibration& calibration, const collective::Model& model,
                  const Measured& measured, const collective::Aim& aim, bool all_commute) {
  const auto& collective = collective::collective_named(calibration.conditions.collective);
  const auto left_out = [&](const collective::Estimate& estimate) {
    return is_of_program(estimate.variant) ||
           (!all_commute &&
            find_algorithm(collective, calibration.conditions.library, estimate.variant.algorithm)
                ->commutative);
  };
  Chosen chosen{.processes = measured.nodes * measured.processes_per_node, .from = {{}}};
  const auto [first_b, last_b] = range_of(measured);
  for (const std::size_t size_b : grid(first_b, last_b, collective.element_b)) {
    auto estimates = model.estimate({.nodes = measured.nodes,
                                     .processes_per_node = measured.processes_per_node,
                                     .size_b = size_b});
    std::erase_if(estimates, left_out);
    add(chosen, size_b, choose_among(estimates, aim, [&](const collective::Variant& variant) {
          return probability_less_than_library(
              calibration, measured.nodes, measured.processes_per_node, size_b, variant, aim.least);
        }));
  }
  add(chosen, last_b + collective.element_b, std::nullopt);
  return chosen;
}

} // namespace

Choices choose_all(const Calibration& calibration, const collective::Aim& aim, bool all_commute) {
  if (calibration.conditions.library == collective::Library::smpi)
    throw Error(ErrorKind::unsupported,
                "the calibration is of a simulated machine: no MPI library takes its rules",
                "'choose' in place of 'apply', and calibrate with mpirun on the machine itself");
  const collective::Model model(calibration);
  // The same number of processes on more nodes: the library's rules know processes only.
  std::map<std::size_t, const Measured*> by_processes;
  for (const Measured& measured : calibration.measured) {
    const Measured*& kept = by_processes[measured.nodes * measured.processes_per_node];
    if (kept == nullptr || kept->nodes < measured.nodes)
      kept = &measured;
  }
  Choices all{.collective = &collective::collective_named(calibration.conditions.collective)};
  for (const auto& [processes, measured] : by_processes)
    all.chosen.push_back(choose_for(calibration, model, *measured, aim, all_commute));
  return all;
}

std::string print_chosen(const std::vector<Choices>& all) {
  std::string text;
  for (const Choices& choices : all)
    for (const Chosen& chosen : choices.chosen) {
      text += fmt::format("{} in {} processes\n", choices.collective->name, chosen.processes);
      for (const ChosenFrom& from : chosen.from)
        text += fmt::format("  from {:<10} {}\n",
                            from.size_b == 0 ? "0B" : collective::size_text(from.size_b),
                            from.variant ? label(*from.variant) : "as the library chooses");
    }
  return text;
}

std::vector<std::size_t> sizes_at(const collective::Collective& collective,
                                  collective::RuleSize measure,
                                  const std::vector<std::size_t>& changes, std::size_t processes) {
  constexpr std::size_t most_b = std::size_t{1} << 30U;
  constexpr std::size_t usual_b = 1024;
  std::set<std::size_t> sizes{usual_b};
  for (const std::size_t change : changes) {
    const auto [below_b, from_b] = sizes_around(collective, measure, change, processes);
    sizes.insert({below_b, from_b});
  }
  std::vector<std::size_t> possible;
  for (const std::size_t size_b : sizes)
    if (size_b > 0 && rule_size_b(measure, size_b, processes) <= most_b &&
        (!collective.message_for_each || size_b * processes <= most_b))
      possible.push_back(size_b);
  return possible;
}

} // namespace hypermile::tune
