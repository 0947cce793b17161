#include "collective/choice.hpp"

#include "collective/measured_curve.hpp"
#include "collective/student.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace hypermile::collective {
namespace {

/// Values of one estimate that are compared: time or energy.
struct Values {
  double value;
  const std::vector<double>* by_pass;
  double misfit;
  bool exact;
};

Values times(const Estimate& estimate) {
  return {estimate.time.value.value(), &estimate.times_s, estimate.misfit, estimate.exact};
}

Values energies(const Estimate& estimate) {
  return {estimate.energy->value.value(), &estimate.energies_j, estimate.misfit, estimate.exact};
}

/// The probability that a variable with a normal distribution is at most x.
double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

/// The probability that a <= factor * b. What both passes share, such as a busy machine, cancels.
double probability_less(const Values& a, const Values& b, double factor) {
  const double difference = std::log(a.value / b.value) - std::log(factor);
  const std::size_t passes = std::min(a.by_pass->size(), b.by_pass->size());
  if (a.exact && b.exact) { // the model is all that may err
    const double doubt = std::hypot(a.misfit, b.misfit);
    if (!(doubt > 0))
      return difference < 0 ? 1 : difference > 0 ? 0 : 0.5;
    return normal_cdf(-difference / doubt);
  }
  if (passes < 2)
    return 0.5;
  std::vector<double> ratios;
  double mean = 0;
  for (std::size_t i = 0; i < passes; ++i) {
    ratios.push_back(std::log((*a.by_pass)[i] / (*b.by_pass)[i]));
    mean += ratios.back() / static_cast<double>(passes);
  }
  double sum = 0;
  for (const double ratio : ratios)
    sum += (ratio - mean) * (ratio - mean);
  const auto count = static_cast<double>(passes);
  const double variance = sum / (count - 1) / count + a.misfit * a.misfit + b.misfit * b.misfit;
  if (!(variance > 0))
    return difference < 0 ? 1 : difference > 0 ? 0 : 0.5;
  return student_cdf(-difference / std::sqrt(variance), passes - 1);
}

std::size_t fastest_of(std::span<const Estimate> estimates) {
  return static_cast<std::size_t>(
      std::ranges::min_element(estimates, {}, [](const Estimate& e) { return e.time.value; }) -
      estimates.begin());
}

std::string why_undecided(const Estimate& best, const Estimate* rival, double worst,
                          double probability) {
  if (best.times_s.size() < 2 && !best.exact)
    return "there is one pass only, so that nothing is known of its spread";
  if (rival == nullptr)
    return fmt::format("it is the best with {:.0f} % only", 100 * probability);
  return fmt::format("{} is as good with a probability of {:.0f} %", label(rival->variant),
                     100 * worst);
}

/// The candidates, compared by `values`.
Choice least_of(std::span<const Estimate> estimates, Values (*values)(const Estimate&),
                double slowdown, double confidence) {
  const std::size_t fastest = fastest_of(estimates);
  const double longest = estimates[fastest].time.value.value() * (1 + slowdown);
  Choice choice;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < estimates.size(); ++i)
    if (estimates[i].time.value.value() <= longest && values(estimates[i]).value < least) {
      least = values(estimates[i]).value;
      choice.index = i;
    }
  const Estimate& best = estimates[choice.index];
  const Estimate* rival = nullptr;
  double worst = 0;
  double lost = 0; // probability that the choice is wrong
  for (std::size_t i = 0; i < estimates.size(); ++i) {
    if (i == choice.index)
      continue;
    double better = probability_less(values(estimates[i]), values(best), 1);
    if (std::isfinite(slowdown))
      better = std::min(
          better, probability_less(times(estimates[i]), times(estimates[fastest]), 1 + slowdown));
    lost += better;
    if (better > worst) {
      worst = better;
      rival = &estimates[i];
    }
  }
  if (choice.index != fastest && std::isfinite(slowdown))
    lost += 1 - probability_less(times(best), times(estimates[fastest]), 1 + slowdown);
  choice.probability = std::max(0.0, 1 - lost);
  if (choice.probability < confidence)
    choice.undecided = why_undecided(best, rival, worst, choice.probability);
  return choice;
}

Joules energy_of(const Cell& cell, std::size_t pass) {
  return (cell.inside.empty() ? cell.times : cell.inside)[pass] * cell.powers[pass];
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

} // namespace

Choice choose(std::span<const Estimate> estimates, const Aim& aim) {
  const double no_bound = std::numeric_limits<double>::infinity();
  if (aim.least == Aim::Least::time)
    return least_of(estimates, times, no_bound, aim.confidence);
  if (std::ranges::any_of(estimates, [](const Estimate& e) { return !e.energy; }))
    throw Error(ErrorKind::model, "the calibration knows no power, hence no energy",
                "--least time; or calibrate again with a meter or --platform");
  return least_of(estimates, energies, aim.slowdown.value_or(no_bound), aim.confidence);
}

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
