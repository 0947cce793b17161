#include "collective/choice.hpp"

#include "collective/order_statistics.hpp"
#include "estimate/normal.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
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

/// What stands between a variant and being the choice.
struct Rival {
  const Estimate* estimate; ///< none: the bound on time
  /// By pass: above 0, the choice is better, as a logarithm of a ratio.
  std::vector<double> margins;
  double doubt; ///< the standard deviation of the margins, as the model misses measurements

  [[nodiscard]] double probability_at(double margin) const {
    if (doubt > 0)
      return estimate::normal_at_most(-margin / doubt);
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

} // namespace hypermile::collective
