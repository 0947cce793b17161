#include "cli/select_text.hpp"

#include "io/plan_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace hypermile::cli {
namespace {

using model::Gear;
using model::Problem;
using select::Plan;

constexpr std::size_t most_lines = 40;

std::string head(const Problem& problem) {
  const auto baseline = problem.baseline();
  return fmt::format("model {}, {} node{}; one iteration in gear 0: {:.6g} s, {:.6g} J\n\n",
                     io::name_of(problem.kind()), problem.node_count(),
                     problem.node_count() == 1 ? "" : "s", baseline.time.value(),
                     baseline.energy.value());
}

std::string certificate_text(const Plan& plan) {
  if (plan.certificate.kind == select::Certificate::Kind::exact)
    return "exact";
  if (!plan.certificate.gap)
    return "no proof";
  return "gap " + difference_in_words(plan.objective, *plan.certificate.gap);
}

std::string plan_line(const TimedPlan& timed) {
  const Plan& plan = timed.plan;
  const auto& predicted = plan.prediction;
  return fmt::format("{:<13} {:>11.6g} {:>11.6g} {:>8.2f}% {:>8.2f}% {:>8.2f} {:>9.1f}  {}{}\n",
                     name_of(plan.method), predicted.time.value(), predicted.energy.value(),
                     (1 / predicted.p_norm - 1) * 100, (1 - predicted.e_norm) * 100,
                     predicted.distance * 100, timed.microseconds, certificate_text(plan),
                     plan.feasible() ? "" : ", INFEASIBLE");
}

std::string quantity(select::Bound bound, double value) {
  switch (bound) {
  case select::Bound::slowdown:
    return fmt::format("{:.6g} %", value * 100);
  case select::Bound::energy:
    return fmt::format("{:.9g} J", value);
  default:
    return fmt::format("{:.9g} W", value);
  }
}

std::string_view spoken(select::Bound bound) {
  switch (bound) {
  case select::Bound::slowdown:
    return "slowdown";
  case select::Bound::energy:
    return "energy budget";
  case select::Bound::average_power:
    return "average-power cap";
  case select::Bound::peak_power:
    break;
  }
  return "peak-power cap";
}

/// What is claimed of a plan that breaks a bound.
std::string_view nearest(const Plan& plan) {
  if (!row_of(plan.method).keeps_bounds)
    return "";
  return plan.certificate.kind == select::Certificate::Kind::exact
             ? " is the nearest"
             : " is the nearest that was found";
}

std::string violations_of(const Plan& plan) {
  std::string text;
  for (const auto& violation : plan.violations)
    text += fmt::format("{}: {} of {} is not kept: {}{}\n", name_of(plan.method),
                        spoken(violation.bound), quantity(violation.bound, violation.limit),
                        quantity(violation.bound, violation.reached), nearest(plan));
  return text;
}

/// Neighbours in the same gear of the same table share a line.
std::string gears_text(const Problem& problem, const Plan& plan) {
  std::string text = fmt::format("\ngears of {}:\n", name_of(plan.method));
  const auto alike = [&](std::size_t a, std::size_t b) {
    return plan.gears[a] == plan.gears[b] && &problem.gears(a) == &problem.gears(b);
  };
  std::size_t lines = 0;
  for (std::size_t unit = 0; unit < plan.gears.size();) {
    std::size_t end = unit + 1;
    while (end < plan.gears.size() && alike(unit, end))
      ++end;
    if (++lines > most_lines)
      return text + "  ... (--json lists all of them)\n";
    const std::size_t first = unit * problem.nodes_per_unit();
    const std::size_t last = end * problem.nodes_per_unit() - 1;
    const std::string nodes =
        first == last ? fmt::format("node {}", first) : fmt::format("nodes {}-{}", first, last);
    const Gear gear = plan.gears[unit];
    text += fmt::format("  {:<18} gear {:>2} of 0-{:<2} {:>9.3f} GHz\n", nodes, gear,
                        problem.gear_count(unit) - 1,
                        problem.gears(unit).frequency(gear).value() / 1e9);
    unit = end;
  }
  return text;
}

const Plan& best_of(const std::vector<TimedPlan>& plans) {
  const auto feasible = std::find_if(plans.begin(), plans.end(), [](const TimedPlan& timed) {
    return timed.plan.feasible() && timed.plan.certificate.kind == select::Certificate::Kind::exact;
  });
  return feasible == plans.end() ? plans.front().plan : feasible->plan;
}

} // namespace

std::string plans_table(const std::vector<TimedPlan>& plans) {
  std::string text =
      fmt::format("{:<13} {:>11} {:>11} {:>9} {:>9} {:>8} {:>9}  {}\n", "method", "time s",
                  "energy J", "slowdown", "saving", "distance", "us", "certificate");
  for (const TimedPlan& timed : plans)
    text += plan_line(timed);
  return text;
}

std::string violations_text(const std::vector<TimedPlan>& plans) {
  std::string text;
  for (const TimedPlan& timed : plans)
    text += violations_of(timed.plan);
  return text;
}

std::string plans_as_text(const Problem& problem, const std::vector<TimedPlan>& plans) {
  const std::string text = head(problem) + plans_table(plans) + gears_text(problem, best_of(plans));
  const std::string violations = violations_text(plans);
  return violations.empty() ? text : text + '\n' + violations;
}

std::string front_as_text(const Problem& problem, const select::Front& front) {
  std::string text = head(problem);
  text += fmt::format("{:>11} {:>11} {:>9} {:>9} {:>8}\n", "time s", "energy J", "slowdown",
                      "saving", "distance");
  const std::size_t count = front.points.size();
  const std::size_t step = (count + most_lines - 1) / most_lines;
  for (std::size_t i = 0; i < count; ++i) {
    if (i % step != 0 && i + 1 != count)
      continue;
    const auto& p = front.points[i].prediction;
    text += fmt::format("{:>11.6g} {:>11.6g} {:>8.2f}% {:>8.2f}% {:>8.2f}\n", p.time.value(),
                        p.energy.value(), (1 / p.p_norm - 1) * 100, (1 - p.e_norm) * 100,
                        p.distance * 100);
  }
  const bool whole = front.certificate.kind == select::Certificate::Kind::exact;
  text += fmt::format("\n{} point{} on {}{}\n", count, count == 1 ? "" : "s",
                      whole ? "the Pareto front" : "the convex hull of a front too large to list",
                      step > 1 ? fmt::format("; one in {} shown, --json lists all", step) : "");
  return text;
}

} // namespace hypermile::cli
