#include "runtime/decide/power_learner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

namespace hypermile::runtime {
namespace {

/// A regression over more gears takes too long.
constexpr std::size_t most_gears = 256;
/// Of a rank: what waits for what other ranks of its node have not told.
constexpr std::size_t most_waiting = 512;
/// What earlier runs have counted is of the same nodes, but maybe not of the same temperature.
constexpr double earlier_counts = 0.5;

// What has to be known before gears are chosen by it:
constexpr double least_intervals = 8;
constexpr double least_seconds = 2;
constexpr double sure = 0.1; ///< half of the interval of computing power, relative to it
/// Likewise of waiting power; else what was believed of its ratio to computing power stays.
constexpr double sure_of_waiting = 0.2;
constexpr Seconds visited{0.5}; ///< gears that nodes were in for less need not be known
/// A meter that says so much less or more than the platform's table measures something else.
constexpr double least_of_table = 0.75;
constexpr double most_of_table = 1.33;

/// Equal nodes do not differ by more, whatever their silicon: a meter is wrong then.
constexpr double most_unlike = 1.75;
/// Of many nodes these say most or least: one of them is the one that is wrong.
constexpr std::size_t most_suspects = 6;

std::string key_of(const model::NodeType& type) {
  std::string key = fmt::format("{} {} {}", type.name, type.site, type.cores);
  for (model::Gear g = 0; g < type.gears.size(); ++g)
    key += fmt::format(" {}", type.gears.frequency(g).value());
  return key;
}

estimate::PowerPrior prior_of(const RankNode& node) {
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

/// What a rank had computed by then; none: that is not told.
std::optional<Seconds> computing_at(const std::vector<PowerPoint>& points, Seconds time) {
  const auto after = std::ranges::lower_bound(points, time, {}, &PowerPoint::time);
  if (after == points.end())
    return std::nullopt;
  if (after->time == time)
    return after->computing;
  if (after == points.begin())
    return std::nullopt;
  const PowerPoint& before = *std::prev(after);
  const double part = (time - before.time) / (after->time - before.time);
  return before.computing + (after->computing - before.computing) * part;
}

/// Of all ranks of a node, between two moments; none: not all have told it.
std::optional<Seconds> computing_between(const std::map<int, std::vector<PowerPoint>>& by_rank,
                                         Seconds begin, Seconds end) {
  Seconds sum;
  for (const auto& [rank, points] : by_rank) {
    const auto before = computing_at(points, begin);
    const auto after = computing_at(points, end);
    if (!before || !after)
      return std::nullopt;
    sum += *after - *before;
  }
  return sum;
}

/// The points from the last one before that moment on.
void forget_before(std::vector<PowerPoint>& points, Seconds time) {
  const auto after = std::ranges::upper_bound(points, time, {}, &PowerPoint::time);
  if (after - points.begin() > 1)
    points.erase(points.begin(), std::prev(after));
}

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
  if (!known || intervals < least_intervals || seconds < least_seconds)
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

estimate::NodeSums times(const estimate::NodeSums& sums, double factor) {
  estimate::NodeSums less;
  for (const auto& [gear, of_gear] : sums)
    less[gear] = of_gear.times(factor);
  return less;
}

double seconds_of(const estimate::NodeSums& sums) {
  double seconds = 0;
  for (const auto& [gear, of_gear] : sums)
    seconds += of_gear.seconds;
  return seconds;
}

/// That without which the others differ least.
template <class Node, class Differ>
std::size_t worst_of(const std::vector<Node>& nodes, const std::vector<double>& ratios,
                     const Differ& differ) {
  std::vector<std::size_t> suspects(nodes.size());
  std::iota(suspects.begin(), suspects.end(), std::size_t{0});
  std::ranges::sort(suspects, {}, [&](std::size_t n) { return ratios[n]; });
  if (suspects.size() > most_suspects)
    suspects.erase(suspects.begin() + most_suspects / 2, suspects.end() - most_suspects / 2);
  std::size_t worst = suspects.front();
  double least = std::numeric_limits<double>::infinity();
  for (const std::size_t n : suspects) {
    std::vector<Node> others = nodes;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(n));
    if (const double difference = differ(others); difference < least) {
      least = difference;
      worst = n;
    }
  }
  return worst;
}

} // namespace

PowerLearner::PowerLearner(const std::vector<LearntPower>& earlier) {
  for (const LearntPower& learnt : earlier) {
    if (learnt.type.gears.size() > most_gears)
      continue;
    Type& type =
        types_
            .emplace(
                key_of(learnt.type),
                Type{.example = {.name = "", .type = learnt.type, .power_assumed = learnt.assumed}})
            .first->second;
    type.earlier = times(learnt.sums, earlier_counts);
  }
}

void PowerLearner::add(int rank, const RankNode& told, const std::vector<PowerPoint>& points) {
  const std::size_t gears = told.type.gears.size();
  if (points.empty() || gears > most_gears || told.type.power.size() != gears)
    return;
  const std::string key = key_of(told.type);
  const auto known = types_.try_emplace(key, Type{.example = told});
  Type& type = known.first->second;
  type.example = told; // the present platform's, whatever earlier runs had
  type.outdated = true;
  Node& node = nodes_.try_emplace(told.name, Node{.type = key}).first->second;
  if (node.dropped || node.type != key)
    return;
  auto& waiting = node.points[rank];
  for (const PowerPoint& point : points) {
    if (point.gear >= gears || (!waiting.empty() && point.time < waiting.back().time))
      continue;
    if (point.drawn)
      node.metered = rank;
    else if (node.metered == rank)
      return drop(told.name);
    waiting.push_back(point);
  }
  if (waiting.size() > most_waiting) {
    waiting.erase(waiting.begin(), waiting.end() - static_cast<std::ptrdiff_t>(most_waiting / 2));
    waiting.front().after_gap = true;
  }
}

void PowerLearner::drop(const std::string& name) {
  const auto found = nodes_.find(name);
  if (found == nodes_.end())
    return;
  found->second.dropped = true;
  found->second.points.clear();
  found->second.sums.clear();
  types_.at(found->second.type).outdated = true;
}

/// The intervals between two readings that all ranks of the node have told of.
void PowerLearner::sum_up(Node& node, const model::NodeType& type) {
  if (!node.metered)
    return;
  std::vector<PowerPoint>& readings = node.points[*node.metered];
  std::size_t done = 0;
  for (; done + 1 < readings.size(); ++done) {
    const PowerPoint& from = readings[done];
    const PowerPoint& to = readings[done + 1];
    const Seconds interval = to.time - from.time;
    if (to.after_gap || !(interval > Seconds{}) || !from.drawn || !to.drawn ||
        *to.drawn < *from.drawn)
      continue;
    const auto computing = computing_between(node.points, from.time, to.time);
    if (!computing) {
      if (std::ranges::any_of(node.points, [&](const auto& of_rank) {
            return of_rank.second.empty() || of_rank.second.back().time < to.time;
          }))
        break;  // they may tell yet
      continue; // they had not begun
    }
    node.sums[from.gear].add(interval, *computing / static_cast<double>(type.cores),
                             *to.drawn - *from.drawn);
  }
  const Seconds until = readings.empty() ? Seconds{} : readings[done].time;
  readings.erase(readings.begin(), readings.begin() + static_cast<std::ptrdiff_t>(done));
  for (auto& [rank, points] : node.points)
    forget_before(points, until);
}

void PowerLearner::sum_up() {
  for (auto& [name, node] : nodes_)
    if (!node.dropped)
      sum_up(node, types_.at(node.type).example.type);
}

std::vector<std::pair<std::string, const PowerLearner::Node*>>
PowerLearner::believed(const std::string& type) const {
  std::vector<std::pair<std::string, const Node*>> nodes;
  for (const auto& [name, node] : nodes_)
    if (node.type == type && !node.dropped && seconds_of(node.sums) > 0)
      nodes.emplace_back(name, &node);
  return nodes;
}

/// What the meter of each node says, relative to what would be expected of all of these.
std::vector<double> PowerLearner::ratios_of(const std::string& key,
                                            const std::vector<const Node*>& nodes) const {
  std::vector<estimate::NodeSums> all;
  for (const Node* node : nodes)
    all.push_back(node->sums);
  const auto fit = estimate::fit_power(prior_of(types_.at(key).example), all);
  std::vector<double> ratios;
  for (const estimate::NodeSums& sums : all) {
    double said = 0;
    double expected = 0;
    for (const auto& [gear, s] : sums) {
      said += s.cp + s.wp;
      expected +=
          fit.computing[gear].value * (s.cc + s.cw) + fit.waiting[gear].value * (s.cw + s.ww);
    }
    ratios.push_back(expected > 0 ? said / expected : 1);
  }
  return ratios;
}

/// Those without which most agree, or all where there is no such majority.
void PowerLearner::drop_unlike(const std::string& key) {
  std::vector<std::string> names;
  std::vector<const Node*> nodes;
  for (const auto& [name, node] : believed(key)) {
    if (seconds_of(node->sums) < least_seconds)
      return;
    names.push_back(name);
    nodes.push_back(node);
  }
  const std::size_t count = nodes.size();
  std::map<std::string, std::string> wrong;
  const auto differ = [&](const std::vector<const Node*>& some) {
    const auto [least, most] = std::ranges::minmax(ratios_of(key, some));
    return most / std::max(least, 1e-6);
  };
  while (nodes.size() > 1 && differ(nodes) >= most_unlike) {
    const std::size_t n = worst_of(nodes, ratios_of(key, nodes), differ);
    const bool most_agree = 2 * (nodes.size() - 1) > count;
    if (!most_agree) {
      for (const std::string& name : names)
        wrong[name] = "what energy counters of equal nodes say differs by nearly a factor of two "
                      "or more, and which is right is not known, so none is believed";
      break;
    }
    wrong[names[n]] = "the energy counter is not believed: it does not agree with those of equal "
                      "nodes by nearly a factor of two or more";
    names.erase(names.begin() + static_cast<std::ptrdiff_t>(n));
    nodes.erase(nodes.begin() + static_cast<std::ptrdiff_t>(n));
  }
  for (const auto& [name, why] : wrong) {
    dropped_[name] = why;
    drop(name);
  }
}

LearntPower& PowerLearner::learn(const std::string& key, Type& type) {
  drop_unlike(key);
  LearntPower learnt{.type = type.example.type, .assumed = false};
  std::vector<estimate::NodeSums> sums;
  for (const auto& [name, node] : believed(key))
    sums.push_back(node->sums);
  learnt.nodes = sums.size();
  learnt.from_earlier = seconds_of(type.earlier) > 0;
  if (learnt.from_earlier)
    sums.push_back(type.earlier);
  const estimate::PowerPrior prior = prior_of(type.example);
  learnt.assumed = prior.assumed;
  const estimate::PowerFit fit =
      sums.empty() ? estimate::PowerFit{} : estimate::fit_power(prior, sums);
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
  if (!sums.empty()) {
    learnt.why_not = why_not(learnt, learnt.sums);
    learnt.table = table_from(learnt, prior);
  }
  if (!is_finite(learnt)) // whatever ranks told
    learnt = {.type = learnt.type, .assumed = learnt.assumed};
  type.outdated = false;
  return type.learnt.emplace(std::move(learnt));
}

std::optional<std::vector<model::GearPower>> PowerLearner::table_of(const RankNode& node) {
  const auto found = types_.find(key_of(node.type));
  if (found == types_.end())
    return std::nullopt;
  auto& [key, type] = *found;
  if (type.outdated || !type.learnt) {
    sum_up();
    learn(key, type);
  }
  const LearntPower& learnt = *type.learnt;
  if (learnt.sums.empty() || !learnt.why_not.empty())
    return std::nullopt;
  type.in_use = true;
  return learnt.table;
}

std::vector<LearntPower> PowerLearner::report() {
  sum_up();
  std::vector<LearntPower> all;
  for (auto& [key, type] : types_) {
    const LearntPower& learnt = learn(key, type);
    if (learnt.sums.empty())
      continue;
    all.push_back(learnt);
    all.back().in_use = type.in_use && learnt.why_not.empty();
  }
  return all;
}

const LearntPower* learnt_of(const std::vector<LearntPower>& all, const model::NodeType& type) {
  const std::string key = key_of(type);
  const auto found = std::ranges::find_if(
      all, [&](const LearntPower& learnt) { return key_of(learnt.type) == key; });
  return found == all.end() ? nullptr : &*found;
}

void drop_meter(RankReport& report) {
  report.energy.reset();
  report.readings.clear();
  for (GearChange& change : report.changes)
    change.energy.reset();
}

} // namespace hypermile::runtime
