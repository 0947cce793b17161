#include "runtime/decide/type_power.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace hypermile::runtime {
namespace {

// What has to be known before gears are chosen by it:
constexpr double least_intervals = 8;
constexpr double sure = 0.1; ///< half of the interval of computing power, relative to it
/// Likewise of waiting power; else what was believed of its ratio to computing power stays.
constexpr double sure_of_waiting = 0.2;
constexpr Seconds visited{0.5}; ///< gears that nodes were in for less need not be known
/// A meter that says so much less or more than the platform's table measures something else.
constexpr double least_of_table = 0.75;
constexpr double most_of_table = 1.33;

bool is_finite(const LearntPower& learnt) {
  const auto finite = [](const estimate::Estimate& e) {
    return std::isfinite(e.value) && std::isfinite(e.low) && std::isfinite(e.high);
  };
  return std::isfinite(learnt.noise) && std::ranges::all_of(learnt.gears, [&](const auto& gear) {
           return std::isfinite(gear.metered.value()) && finite(gear.computing) &&
                  finite(gear.waiting);
         });
}

double half_width(const estimate::Estimate& e) { return (e.high - e.low) / 2; }

bool is_sure(const LearntPower& learnt, std::size_t gear) {
  const estimate::Estimate& computing = learnt.gears[gear].computing;
  return computing.value > 0 && half_width(computing) <= sure * computing.value;
}

/// Why gears should not be chosen by it; empty: they should.
std::string why_not(const LearntPower& learnt, const estimate::NodeSums& sums) {
  double intervals = 0;
  double seconds = 0;
  bool known = is_sure(learnt, 0);
  for (const auto& [gear, of_gear] : sums) {
    intervals += of_gear.count;
    seconds += of_gear.seconds;
    known = known && (of_gear.seconds < visited.value() || is_sure(learnt, gear));
  }
  if (!known || intervals < least_intervals || seconds < least_metered.value())
    return "too little is known";
  if (learnt.assumed)
    return "";
  const double ratio = learnt.gears[0].computing.value / learnt.type.power[0].computing.value();
  if (ratio < least_of_table || ratio > most_of_table)
    return fmt::format("the meter says {:.2f} of what the platform says, so it measures another "
                       "part of the node, or the platform is wrong",
                       ratio);
  return "";
}

bool knows_waiting(const LearntPower& learnt) {
  return std::ranges::all_of(learnt.gears, [](const LearntPower::OfGear& gear) {
    return gear.metered < visited ||
           half_width(gear.waiting) <= sure_of_waiting * gear.computing.value;
  });
}

/// Where waiting power is not known it has the ratio to computing power that was believed.
std::vector<model::GearPower> table_from(const LearntPower& learnt,
                                         const estimate::PowerPrior& prior) {
  std::vector<model::GearPower> table;
  Watts least_waiting{std::numeric_limits<double>::infinity()};
  Watts least_idle = least_waiting;
  const bool known = knows_waiting(learnt);
  const auto rounded = [](double watts) { return Watts{std::round(watts * 100) / 100}; };
  for (std::size_t g = 0; g < learnt.gears.size(); ++g) {
    const auto& [metered, computing, waiting] = learnt.gears[g];
    const double believed = prior.waiting[g] / prior.computing[g];
    const double waits = known ? waiting.value : believed * computing.value;
    least_waiting = std::min({least_waiting, rounded(waits), rounded(computing.value)});
    const Watts idle =
        learnt.type.power[g].waiting > Watts{}
            ? least_waiting * (learnt.type.power[g].idle / learnt.type.power[g].waiting)
            : least_waiting;
    least_idle = std::min({least_idle, idle, least_waiting});
    table.push_back({rounded(computing.value), least_waiting, least_idle});
  }
  return table;
}

} // namespace

Seconds metered_time(const estimate::NodeSums& sums) {
  double seconds = 0;
  for (const auto& [gear, of_gear] : sums)
    seconds += of_gear.seconds;
  return Seconds{seconds};
}

estimate::PowerPrior power_prior_of(const RankNode& node) {
  estimate::PowerPrior prior{
      .scales = {}, .computing = {}, .waiting = {}, .assumed = node.power_assumed};
  const model::NodeType& type = node.type;
  for (model::Gear g = 0; g < type.gears.size(); ++g) {
    prior.scales.push_back(type.gears.scale(g));
    prior.computing.push_back(type.power[g].computing);
    prior.waiting.push_back(type.power[g].waiting);
  }
  if (std::ranges::any_of(prior.computing, [](Watts power) { return power <= Watts{}; })) {
    constexpr Watts dynamic_power{80}; // as where nothing is known of a node: only ratios count
    constexpr Watts static_power{20};
    const auto assumed = model::cubic_power(type.gears, dynamic_power, static_power);
    for (model::Gear g = 0; g < type.gears.size(); ++g) {
      prior.computing[g] = assumed[g].computing;
      prior.waiting[g] = assumed[g].waiting;
    }
    prior.assumed = true;
  }
  return prior;
}

LearntPower learn_power(const RankNode& example, const std::vector<estimate::NodeSums>& nodes,
                        const estimate::NodeSums& earlier) {
  const estimate::PowerPrior prior = power_prior_of(example);
  LearntPower learnt{.type = example.type, .assumed = prior.assumed, .nodes = nodes.size()};
  std::vector<estimate::NodeSums> sums = nodes;
  learnt.from_earlier = metered_time(earlier) > Seconds{};
  if (learnt.from_earlier)
    sums.push_back(earlier);
  if (sums.empty())
    return learnt;
  const estimate::PowerFit fit = estimate::fit_power(prior, sums);
  learnt.noise = fit.noise;
  for (const estimate::NodeSums& node : sums)
    for (const auto& [gear, of_gear] : node)
      learnt.sums[gear] += of_gear;
  for (std::size_t g = 0; g < fit.computing.size(); ++g) {
    const auto of_gear = learnt.sums.find(g);
    learnt.gears.push_back(
        {of_gear == learnt.sums.end() ? Seconds{} : Seconds{of_gear->second.seconds},
         fit.computing[g], fit.waiting[g]});
  }
  learnt.why_not = why_not(learnt, learnt.sums);
  learnt.table = table_from(learnt, prior);
  if (!is_finite(learnt)) // whatever ranks told
    return {.type = learnt.type, .assumed = learnt.assumed};
  return learnt;
}

} // namespace hypermile::runtime
