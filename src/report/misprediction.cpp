#include "report/remarks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace hypermile::report {
namespace {

using runtime::RankReport;
using simulate::SimulatedRun;

/// Errors up to this need no words.
constexpr double tolerance = 0.05;
/// Iterations whose lengths in gear 0 differ by this factor are of different loops.
constexpr double other_loop = 1.2;
/// Of the time; what is outside the loop does not matter above it.
constexpr double nearly_all = 0.9;
/// A cause that makes up this share of the error is worth mentioning.
constexpr double notable = 0.25;

/// When the last choice took effect on the last rank.
Seconds last_change(const SimulatedRun& run) {
  Seconds last;
  for (const RankReport& rank : run.report.ranks)
    for (const auto& change : rank.changes)
      last = std::max(last, change.time);
  return last;
}

std::string measured_again(const SimulatedRun& run) {
  const std::size_t choices = run.report.decisions.size();
  if (choices < 2)
    return "";
  return fmt::format(
      "the loop was measured again while the program ran ({} choices of gears, the last "
      "in effect from {:.3g} s on)",
      choices, last_change(run).value());
}

std::string other_loops(const SimulatedRun& run) {
  const auto time = [](const runtime::Decision& d) { return d.baseline.time; };
  const auto [least, most] = std::ranges::minmax(run.report.decisions, {}, time);
  if (least.baseline.time <= Seconds{} || most.baseline.time / least.baseline.time < other_loop)
    return "";
  return fmt::format(
      "another loop became the main loop, as in a new phase of the program (iterations "
      "of {:.3g} s and of {:.3g} s)",
      least.baseline.time.value(), most.baseline.time.value());
}

/// The prediction for the loop is taken for the whole rest of the run.
std::string outside_the_loop(const SimulatedRun& unscaled) {
  double share = 1;
  for (const RankReport& rank : unscaled.report.ranks)
    if (rank.time > Seconds{})
      share = std::min(share, rank.loop.total / rank.time);
  if (share >= nearly_all)
    return "";
  return fmt::format("much of the time was spent outside the loop ({:.0f} %)", 100 * (1 - share));
}

/// The model takes the least time that a rank is in MPI for what no gear changes.
std::string waiting(const SimulatedRun& run, const SimulatedRun& unscaled) {
  const Seconds now =
      std::ranges::min_element(run.report.ranks, {}, &RankReport::communication)->communication;
  const Seconds before =
      std::ranges::min_element(unscaled.report.ranks, {}, &RankReport::communication)
          ->communication;
  if (now - before < (run.time - run.expected->time) * notable || now <= before)
    return "";
  return fmt::format(
      "ranks waited for each other in ways that this model does not describe (each was "
      "in MPI for at least {:.3g} s, and for {:.3g} s in the unscaled run)",
      now.value(), before.value());
}

} // namespace

std::string misprediction(const SimulatedRun& run, const SimulatedRun& unscaled) {
  if (!run.expected || run.report.decisions.empty())
    return "";
  const double error = run.expected->time / run.time - 1;
  if (!(std::abs(error) > tolerance))
    return "";
  std::vector<std::string> reasons{measured_again(run), other_loops(run),
                                   outside_the_loop(unscaled)};
  if (error < 0)
    reasons.push_back(waiting(run, unscaled));
  std::erase(reasons, "");
  return fmt::format("the cluster model predicts a time that is {:.1f} % too {}. {}.",
                     100 * std::abs(error), error < 0 ? "short" : "long",
                     reasons.empty() ? "Probably the iterations vary more than those that were "
                                       "measured"
                                     : fmt::format("Likely reasons: {}", fmt::join(reasons, "; ")));
}

} // namespace hypermile::report
