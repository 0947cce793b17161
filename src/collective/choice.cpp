#include "collective/choice.hpp"

#include "collective/order_statistics.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>

namespace hypermile::collective {
namespace {

/// Time or energy of one estimate.
struct Values {
  double value;
  const std::vector<double>* by_pass;
};

Values times(const Estimate& estimate) { return {estimate.time.value.value(), &estimate.times_s}; }

Values energies(const Estimate& estimate) {
  return {estimate.energy->value.value(), &estimate.energies_j};
}

/// The probability that a variable with a normal distribution is at most x.
double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

/// What stands between a variant and being the choice.
struct Rival {
  const Estimate* estimate; ///< none: the bound on time
  /// By pass: above 0, the choice is better, as a logarithm of a ratio.
  std::vector<double> margins;
  double doubt; ///< the standard deviation of the margins, as the model misses measurements

  [[nodiscard]] double probability_at(double margin) const {
    if (doubt > 0)
      return normal_cdf(-margin / doubt);
    return margin > 0 ? 0 : 1;
  }
};

/// Which variant is to be the choice, and among which.
struct Contest {
  std::span<const Estimate> estimates;
  Values (*values)(const Estimate&);
  double slowdown; ///< infinite: time has no bound
  std::size_t fastest;
  std::size_t best;

  [[nodiscard]] bool exact() const { return estimates[best].exact; }
  [[nodiscard]] std::size_t passes() const;
  [[nodiscard]] std::vector<Rival> rivals() const;

private:
  [[nodiscard]] std::vector<double> log_ratios(const Values& a, const Values& b) const;
  [[nodiscard]] std::vector<double> too_slow(const Estimate& estimate) const;
};

std::size_t Contest::passes() const {
  std::size_t least = estimates[best].times_s.size();
  for (const Estimate& estimate : estimates)
    least = std::min({least, estimate.times_s.size(), values(estimate).by_pass->size()});
  return exact() ? 1 : least;
}

/// In each pass: what it shares, such as a busy machine, cancels.
std::vector<double> Contest::log_ratios(const Values& a, const Values& b) const {
  if (exact())
    return {std::log(a.value / b.value)};
  std::vector<double> ratios;
  for (std::size_t i = 0; i < passes(); ++i)
    ratios.push_back(std::log((*a.by_pass)[i] / (*b.by_pass)[i]));
  return ratios;
}

/// By how much it takes longer than the bound, in each pass.
std::vector<double> Contest::too_slow(const Estimate& estimate) const {
  auto margins = log_ratios(times(estimate), times(estimates[fastest]));
  for (double& margin : margins)
    margin -= std::log1p(slowdown);
  return margins;
}

std::vector<Rival> Contest::rivals() const {
  std::vector<Rival> all;
  const Estimate& chosen = estimates[best];
  for (const Estimate& other : estimates) {
    if (&other == &chosen)
      continue;
    Rival rival{&other, log_ratios(values(other), values(chosen)),
                std::hypot(other.misfit, chosen.misfit)};
    if (std::isfinite(slowdown)) {
      const auto slow = too_slow(other);
      for (std::size_t i = 0; i < slow.size(); ++i)
        rival.margins[i] = std::max(rival.margins[i], slow[i]);
      rival.doubt = std::hypot(rival.doubt, estimates[fastest].misfit);
    }
    all.push_back(std::move(rival));
  }
  if (std::isfinite(slowdown) && best != fastest) {
    auto margins = too_slow(chosen);
    for (double& margin : margins)
      margin = -margin;
    all.push_back(
        {nullptr, std::move(margins), std::hypot(chosen.misfit, estimates[fastest].misfit)});
  }
  return all;
}

/// Passes by how clearly the choice wins them, the clearest first.
std::vector<std::size_t> clearest_first(const std::vector<Rival>& rivals, std::size_t passes) {
  std::vector<std::pair<double, std::size_t>> sorted;
  for (std::size_t pass = 0; pass < passes; ++pass) {
    double worst = 0;
    for (const Rival& rival : rivals)
      worst = std::max(worst, rival.probability_at(rival.margins[pass]));
    sorted.emplace_back(worst, pass);
  }
  std::ranges::sort(sorted);
  std::vector<std::size_t> order;
  for (const auto& [worst, pass] : sorted)
    order.push_back(pass);
  return order;
}

/// At most: the least over how many passes are given up as lost.
double probability_wrong(const std::vector<Rival>& rivals, std::size_t passes, bool exact) {
  if (rivals.empty())
    return 0;
  const auto order = clearest_first(rivals, passes);
  double least = 1;
  for (std::size_t lost = 0; lost < passes; ++lost) {
    double wrong = exact ? 0 : 2 * coins_at_most(passes, lost);
    for (const Rival& rival : rivals) {
      double margin = std::numeric_limits<double>::infinity();
      for (std::size_t i = 0; i + lost < passes; ++i)
        margin = std::min(margin, rival.margins[order[i]]);
      wrong += rival.probability_at(margin);
    }
    least = std::min(least, wrong);
  }
  return least;
}

std::size_t passes_lost(const Rival& rival) {
  return static_cast<std::size_t>(
      std::ranges::count_if(rival.margins, [](double margin) { return !(margin > 0); }));
}

std::string why_undecided(const Contest& contest, const std::vector<Rival>& rivals,
                          double confidence) {
  const std::size_t passes = contest.passes();
  if (passes < 2 && !contest.exact())
    return "there is one pass only, so that nothing is known of its spread";
  if (const std::size_t needed = values_needed(confidence); passes < needed && !contest.exact())
    return fmt::format("{} passes are too few to be sure; calibrate with --passes {} or more",
                       passes, needed);
  const auto closest = std::ranges::max_element(rivals, {}, [](const Rival& rival) {
    const double least = std::ranges::min(rival.margins);
    return std::pair{passes_lost(rival), rival.probability_at(least)};
  });
  const std::size_t lost = passes_lost(*closest);
  const std::string who = closest->estimate == nullptr ? "" : label(closest->estimate->variant);
  if (contest.exact() || lost == 0)
    return who.empty() ? "the estimates are not exact enough to tell whether it is fast enough"
                       : fmt::format("{} may be less: the estimates are not exact enough", who);
  return who.empty() ? fmt::format("it is too slow in {} of {} passes", lost, passes)
                     : fmt::format("{} is less in {} of {} passes", who, lost, passes);
}

/// The candidates, compared by `values`.
Choice least_of(std::span<const Estimate> estimates, Values (*values)(const Estimate&),
                double slowdown, double confidence) {
  const auto fastest = static_cast<std::size_t>(
      std::ranges::min_element(estimates, {}, [](const Estimate& e) { return e.time.value; }) -
      estimates.begin());
  Contest contest{estimates, values, slowdown, fastest, fastest};
  const double longest = estimates[fastest].time.value.value() * (1 + slowdown);
  for (std::size_t i = 0; i < estimates.size(); ++i)
    if (estimates[i].time.value.value() <= longest &&
        values(estimates[i]).value < values(estimates[contest.best]).value)
      contest.best = i;
  const auto rivals = contest.rivals();
  Choice choice{.index = contest.best,
                .probability = 1 - probability_wrong(rivals, contest.passes(), contest.exact())};
  if (choice.probability < confidence)
    choice.undecided = why_undecided(contest, rivals, confidence);
  return choice;
}

Joules energy_of(const Cell& cell, std::size_t pass) {
  return (cell.inside.empty() ? cell.times : cell.inside)[pass] * cell.powers[pass];
}

const Variant of_library{.algorithm = std::string(library_choice.name)};

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

/// Student's distribution: the probability that t of so many degrees of freedom, at least one, is
/// this or more. M. Abramowitz and I. A. Stegun, "Handbook of Mathematical Functions" (1964),
/// 26.7.3 and 26.7.4.
double student_beyond(double t, std::size_t freedom) {
  const double angle = std::atan(t / std::sqrt(static_cast<double>(freedom)));
  const double square = std::cos(angle) * std::cos(angle);
  const bool odd = freedom % 2 == 1;
  double term = odd ? std::cos(angle) : 1;
  double sum = freedom == 1 ? 0 : term;
  for (std::size_t k = odd ? 3 : 2; k + 1 < freedom; k += 2) {
    term *= square * static_cast<double>(k - 1) / static_cast<double>(k);
    sum += term;
  }
  constexpr double pi = std::numbers::pi;
  const double within = odd ? 2 / pi * (angle + std::sin(angle) * sum) : std::sin(angle) * sum;
  return (1 - within) / 2;
}

/// Of the values' mean being at most 0, as they are normally distributed.
double probability_not_above_zero(const std::vector<double>& values) {
  if (values.size() < 2)
    return 1;
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const double value : values)
    squares += (value - mean) * (value - mean);
  const double error = std::sqrt(squares / (count - 1) / count);
  if (error == 0)
    return mean > 0 ? 0 : 1;
  return student_beyond(mean / error, values.size() - 1);
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
  const Cell* const library = find_cell(measured, of_library, size_b);
  const Cell* const chosen = find_cell(measured, variant, size_b);
  if (library == nullptr || chosen == nullptr)
    return 0;
  const auto variants = std::ranges::count_if(measured.cells, [&](const Cell& cell) {
    return cell.size_b == size_b && cell.variant != of_library;
  });
  const double wrong = probability_not_above_zero(log_ratios(*library, *chosen, least));
  return std::max(0.0, 1 - static_cast<double>(variants) * wrong);
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
  const Cell* const library = find_cell(*measured, of_library, size_b);
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
