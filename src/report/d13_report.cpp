#include "report/d13_report.hpp"

#include "units/wrapped.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace hypermile::report {
namespace {

using nlohmann::ordered_json;
using CostMember = D13Cost D13Algorithm::*;

/// [D13] 4.3, of Hybrid/SAG with application D.
constexpr double published_worst_percent = -6.82;

double off(const D13Algorithm& algorithm, CostMember estimate) {
  return 100 * ((algorithm.*estimate).energy / algorithm.simulated.energy - 1);
}

/// All that cost as little as the least, up to rounding: with one process per node a hybrid is the
/// same as without threads.
std::vector<std::string> least_by(const D13Application& application, CostMember cost) {
  constexpr double rounding = 1e-9;
  const auto energy = [&](const D13Algorithm& a) { return (a.*cost).energy; };
  const Joules least = energy(*std::ranges::min_element(application.algorithms, {}, energy));
  std::vector<std::string> names;
  for (const D13Algorithm& algorithm : application.algorithms)
    if (energy(algorithm) <= least * (1 + rounding))
      names.push_back(algorithm.name);
  return names;
}

bool same_least(const D13Application& application, CostMember cost) {
  return least_by(application, cost) == least_by(application, &D13Algorithm::simulated);
}

bool as_published(const D13Application& application) {
  const auto found = least_by(application, &D13Algorithm::simulated);
  return std::ranges::find(found, application.published_least) != found.end();
}

const D13Algorithm* named(const D13Application& application, const std::string& name) {
  const auto found = std::ranges::find(application.algorithms, name, &D13Algorithm::name);
  return found == application.algorithms.end() ? nullptr : &*found;
}

Watts power(const D13Cost& cost) { return cost.energy / cost.time; }

double worst(const D13Report& report, CostMember cost) {
  double largest = 0;
  for (const auto& application : report.applications)
    for (const auto& algorithm : application.algorithms)
      if (std::abs(off(algorithm, cost)) > std::abs(largest))
        largest = off(algorithm, cost);
  return largest;
}

/// All, or where they are many the first and the last.
std::string sizes_of(const D13Application& application) {
  const auto& sizes = application.calibrated_sizes;
  return sizes.size() > 4
             ? fmt::format("{} sizes from {} to {}", sizes.size(), sizes.front(), sizes.back())
             : fmt::format("{}", fmt::join(sizes, ", "));
}

std::string title_of(const D13Application& application) {
  return fmt::format("{}: {} x {} on {} nodes x {}; calibrated on {} nodes with {}\n",
                     application.name, application.messages, application.size, application.nodes,
                     application.processes_per_node,
                     fmt::join(application.calibrated_nodes, " and "), sizes_of(application));
}

std::string table_of(const D13Application& application) {
  std::string text = title_of(application);
  text += fmt::format("{:<16}{:>12}{:>12}{:>9}{:>13}{:>9}{:>9}\n", "", "estimated J", "simulated J",
                      "error %", "by paper J", "error %", "time s");
  for (const D13Algorithm& algorithm : application.algorithms)
    text +=
        fmt::format("{:<16}{:>12.5g}{:>12.5g}{:>9.2f}{:>13.5g}{:>9.2f}{:>9.4g}\n", algorithm.name,
                    algorithm.estimated.energy.value(), algorithm.simulated.energy.value(),
                    off(algorithm, &D13Algorithm::estimated), algorithm.by_paper.energy.value(),
                    off(algorithm, &D13Algorithm::by_paper), algorithm.simulated.time.value());
  text += fmt::format("least: estimated {}, simulated {}, by paper's formulas {}, published {}\n",
                      fmt::join(least_by(application, &D13Algorithm::estimated), " = "),
                      fmt::join(least_by(application, &D13Algorithm::simulated), " = "),
                      fmt::join(least_by(application, &D13Algorithm::by_paper), " = "),
                      application.published_least);
  return text + "\n";
}

/// How fast threads have to copy, in bytes per second, for the hybrid to be less; none: nothing is
/// copied, or no speed is enough.
std::optional<Bandwidth> enough(const D13Application& application, const D13Algorithm& hybrid,
                                const D13Algorithm& pure) {
  const Joules copying = application.copying_power * application.copying_time;
  const Joules left = pure.simulated.energy - (hybrid.simulated.energy - copying);
  if (copying <= Joules{} || left <= Joules{})
    return std::nullopt;
  const auto bytes =
      static_cast<double>(application.size_b) * static_cast<double>(application.messages);
  return Bandwidth{bytes / (left / application.copying_power).value()};
}

/// Each hybrid beside the same algorithm among all processes.
std::string hybrids_of(const D13Report& report) {
  std::string text = fmt::format("{:<26}{:>10}{:>11}{:>10}{:>9}{:>11}\n", "hybrid against pure",
                                 "energy %", "time %", "power W", "pure W", "even GB/s");
  for (const D13Application& application : report.applications)
    for (const char* const algorithm : {"SAG", "Pipeline"}) {
      const auto* const pure = named(application, fmt::format("MPI/{}", algorithm));
      const auto* const hybrid = named(application, fmt::format("Hybrid/{}", algorithm));
      if (pure == nullptr || hybrid == nullptr)
        continue;
      const D13Cost& a = hybrid->simulated;
      const D13Cost& b = pure->simulated;
      const auto even = enough(application, *hybrid, *pure);
      text += fmt::format("{:<26}{:>+10.1f}{:>+11.1f}{:>10.0f}{:>9.0f}{:>11}\n",
                          fmt::format("{} {}", application.name, algorithm),
                          100 * (a.energy / b.energy - 1), 100 * (a.time / b.time - 1),
                          power(a).value(), power(b).value(),
                          even ? fmt::format("{:.2f}", even->value() / 1e9) : "-");
    }
  return text;
}

std::string verdict_of(const D13Report& report) {
  const auto right = std::ranges::count_if(report.applications, [](const auto& application) {
    return same_least(application, &D13Algorithm::estimated);
  });
  const auto published = std::ranges::count_if(report.applications, as_published);
  return fmt::format(
      "Largest error of an estimate: {:.2f} % (with the paper's formulas {:.2f} %, "
      "published {} %).\nThe least is estimated right in {} of {}, and is that of the "
      "paper in {}.\n",
      worst(report, &D13Algorithm::estimated), worst(report, &D13Algorithm::by_paper),
      published_worst_percent, right, report.applications.size(), published);
}

ordered_json cost_json(const D13Cost& cost) {
  return {{"time_s", cost.time.value()}, {"energy_j", cost.energy.value()}};
}

ordered_json application_json(const D13Application& application) {
  ordered_json json{{"application", application.name},
                    {"messages", application.messages},
                    {"size", application.size},
                    {"nodes", application.nodes},
                    {"processes_per_node", application.processes_per_node},
                    {"calibrated_nodes", application.calibrated_nodes},
                    {"calibrated_sizes", application.calibrated_sizes},
                    {"simulated_messages", application.simulated_messages},
                    {"least_estimated", least_by(application, &D13Algorithm::estimated)},
                    {"least_simulated", least_by(application, &D13Algorithm::simulated)},
                    {"least_by_paper", least_by(application, &D13Algorithm::by_paper)},
                    {"least_published", application.published_least},
                    {"copying_time_s", application.copying_time.value()},
                    {"copying_power_w", application.copying_power.value()},
                    {"algorithms", ordered_json::array()}};
  for (const D13Algorithm& algorithm : application.algorithms)
    json["algorithms"].push_back(
        {{"algorithm", algorithm.name},
         {"estimated", cost_json(algorithm.estimated)},
         {"by_paper", cost_json(algorithm.by_paper)},
         {"simulated", cost_json(algorithm.simulated)},
         {"error_percent", off(algorithm, &D13Algorithm::estimated)},
         {"error_by_paper_percent", off(algorithm, &D13Algorithm::by_paper)}});
  return json;
}

} // namespace

std::string print_d13(const D13Report& report) {
  std::string text = fmt::format(
      "[D13] 4.3 on platform {}, simulated; SimGrid with {}\n\n", report.platform,
      report.simgrid_options.empty() ? std::string("SMPI's own factors")
                                     : fmt::format("{}", fmt::join(report.simgrid_options, ", ")));
  for (const D13Application& application : report.applications)
    text += table_of(application);
  text += hybrids_of(report) + "\n" + verdict_of(report) + "\n";
  return text +
         wrapped(
             "Energy is that of the nodes with processes and of the switch. Each message begins "
             "when all have the one before; a few of equal messages are simulated, and count "
             "for all. Processes spin while they wait. Power is that of the simulated run as a "
             "whole. The last column is how fast each thread has to copy for the hybrid to cost as "
             "much as the pure algorithm. The paper prints no energies, only the largest error and "
             "which algorithm "
             "is least; its watts, latencies and copies are not known, and estimates stand for "
             "them (platforms/d13.yaml): what is checked here is the method, not the figures.");
}

std::string d13_json(const D13Report& report) {
  ordered_json json{{"schema", "hypermile/d13/1"},
                    {"platform", report.platform},
                    {"simgrid_options", report.simgrid_options},
                    {"applications", ordered_json::array()},
                    {"largest_error_percent", worst(report, &D13Algorithm::estimated)},
                    {"largest_error_by_paper_percent", worst(report, &D13Algorithm::by_paper)},
                    {"largest_error_published_percent", published_worst_percent}};
  for (const D13Application& application : report.applications)
    json["applications"].push_back(application_json(application));
  return json.dump(2) + "\n";
}

} // namespace hypermile::report
