#include "runtime/decide/type_power.hpp"

#include "model/beaten.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
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

/// Where waiting power is not known it has the ratio to computing power that was believed. Nothing
/// that a gear that is left out draws says something of others.
std::vector<model::GearPower> table_from(const LearntPower& learnt,
                                         const estimate::PowerPrior& prior) {
  std::vector<model::GearPower> table;
  Watts least_waiting{std::numeric_limits<double>::infinity()};
  Watts least_idle = least_waiting;
  const bool known = knows_waiting(learnt);
  const auto rounded = [](double watts) { return Watts{std::round(watts * 100) / 100}; };
  for (std::size_t g = 0; g < learnt.gears.size(); ++g) {
    const LearntPower::OfGear& gear = learnt.gears[g];
    const double believed = prior.waiting[g] / prior.computing[g];
    const double waits = known ? gear.waiting.value : believed * gear.computing.value;
    const Watts computing = rounded(gear.computing.value);
    const Watts waiting = std::min(rounded(waits), computing);
    if (gear.beaten_by) {
      table.push_back({computing, waiting, std::min(least_idle, waiting)});
      continue;
    }
    least_waiting = std::min(least_waiting, waiting);
    const Watts idle =
        learnt.type.power[g].waiting > Watts{}
            ? least_waiting * (learnt.type.power[g].idle / learnt.type.power[g].waiting)
            : least_waiting;
    least_idle = std::min({least_idle, idle, least_waiting});
    table.push_back({computing, least_waiting, least_idle});
  }
  return table;
}

/// By gear, another one that beats it, whatever the power of both is within their intervals. Both
/// were metered. How much longer computation takes in the slower one depends on the program, but
/// it never takes less.
std::vector<std::optional<std::size_t>> beaten_in(const LearntPower& learnt,
                                                  const estimate::PowerFit& fit) {
  std::vector<std::size_t> gears;
  std::vector<model::SettingRanges> ranges;
  const auto range = [](const estimate::Estimate& e) {
    return model::SettingRanges::Range{Watts{e.low}, Watts{e.high}};
  };
  for (std::size_t g = 0; g < learnt.gears.size(); ++g)
    if (learnt.gears[g].metered >= visited) {
      gears.push_back(g);
      ranges.push_back({Seconds{learnt.type.gears.scale(g)}, range(fit.computing_as_seen[g]),
                        range(fit.waiting_as_seen[g])});
    }
  std::vector<std::optional<std::size_t>> beaten(learnt.gears.size());
  const auto of_metered = model::surely_beaten_by(ranges);
  for (std::size_t i = 0; i < gears.size(); ++i)
    if (of_metered[i])
      beaten[gears[i]] = gears[*of_metered[i]];
  return beaten;
}

/// Gears that nobody should choose are left out, and what they draw is told as it was seen.
void leave_out_beaten(LearntPower& learnt, estimate::PowerFit fit) {
  const auto beaten = beaten_in(learnt, fit);
  std::vector<bool> left_out;
  for (const auto& by : beaten)
    left_out.push_back(by.has_value());
  if (std::ranges::none_of(left_out, std::identity{}))
    return;
  estimate::put_in_order(fit, left_out);
  for (std::size_t g = 0; g < learnt.gears.size(); ++g) {
    learnt.gears[g].computing = fit.computing[g];
    learnt.gears[g].waiting = fit.waiting[g];
    learnt.gears[g].beaten_by = beaten[g];
  }
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
  if (learnt.why_not.empty())
    leave_out_beaten(learnt, fit);
  learnt.table = table_from(learnt, prior);
  if (!is_finite(learnt)) // whatever ranks told
    return {.type = learnt.type, .assumed = learnt.assumed};
  return learnt;
}

} // namespace hypermile::runtime
